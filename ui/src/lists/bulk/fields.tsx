/** What is to be said about an action on loans or requests. */

import { today } from "@internationalized/date";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ask } from "../../api/http.ts";
import { items } from "../../api/inventory.ts";
import { servicePoints } from "../../api/library.ts";
import { list } from "../../api/list.ts";
import type { User } from "../../api/records.ts";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { type Formats, useWords } from "../../words/index.tsx";
import type { ListRow } from "../row.ts";
import { useListWords } from "../words/index.tsx";
import type { ActionName, Said } from "./actions.ts";
import type { FieldsProps } from "./dialog.tsx";

const KEEP = "keep";
const HOUR = 3_600_000;

/** What the fields say before somebody changes them. */
export function initialOf(name: ActionName, rows: readonly ListRow[], { timeZone, isoDay }: Formats): Said {
  const day = (instant: string | undefined) => (instant ? isoDay(instant) : "");
  if (name === "changeDueDate") return { day: today(timeZone).add({ weeks: 2 }).toString() };
  const request = rows.length === 1 ? rows[0]?.request : undefined;
  if (name !== "edit" || request === undefined) return {};
  return {
    pickup: request.pickupServicePointId ?? "",
    address: request.fulfillmentPreference === "Delivery" ? (request.deliveryAddressTypeId ?? "") : "",
    wanted: day(request.requestExpirationDate),
    kept: day(request.holdShelfExpirationDate),
  };
}

export const FIELDS = {
  renew: undefined,
  changeDueDate: Day,
  claimReturned: Comment,
  markMissing: Comment,
  declareLost: Comment,
  edit: RequestFields,
  move: Destination,
  cancel: Cancelling,
};

function Day({ said, say }: FieldsProps) {
  const words = useWords();
  return (
    <Field
      type="date"
      label={words.checkOut.overrideDue}
      value={said.day ?? ""}
      onChange={(day) => say({ day })}
      isRequired
      autoFocus
    />
  );
}

function Comment({ said, say, isRequired = true }: FieldsProps & { isRequired?: boolean }) {
  const words = useWords();
  return (
    <Field
      label={words.comment}
      value={said.comment ?? ""}
      onChange={(comment) => say({ comment })}
      lines={2}
      isRequired={isRequired}
      autoFocus={isRequired}
    />
  );
}

function RequestFields({ rows, said, say }: FieldsProps) {
  const own = useListWords().bulk;
  const points = (useQuery(servicePoints).data ?? []).filter(({ pickupLocation }) => pickupLocation);
  const isOne = rows.length === 1;
  const isOnShelf = rows.some(({ request }) => request?.status === "Open - Awaiting pickup");
  return (
    <>
      <Choice
        label={own.fields.pickup}
        options={[...(isOne ? [] : [{ id: KEEP, name: own.unchanged }]), ...points]}
        value={said.pickup || (isOne ? null : KEEP)}
        onChange={(pickup) => say({ pickup: pickup === KEEP ? "" : pickup, address: "" })}
      />
      {isOne && <Delivery {...{ rows, said, say }} />}
      <div className="pair">
        <Field type="date" label={own.fields.wanted} value={said.wanted ?? ""} onChange={(wanted) => say({ wanted })} />
        {isOnShelf && (
          <Field type="date" label={own.fields.kept} value={said.kept ?? ""} onChange={(kept) => say({ kept })} />
        )}
      </div>
    </>
  );
}

const addressTypes = queryOptions({
  queryKey: ["address-types"],
  staleTime: HOUR,
  queryFn: async () => (await list("/addresstypes", { limit: 200 })).addressTypes,
});

/** To one of the patron's addresses. Who has none gets nothing delivered. */
function Delivery({ rows, said, say }: FieldsProps) {
  const own = useListWords().bulk.fields;
  const patronId = rows[0]?.patronId;
  const types = useQuery(addressTypes).data ?? [];
  const patron = useQuery({
    queryKey: ["patron", patronId, "addresses"],
    enabled: patronId !== undefined,
    queryFn: () => ask<User>(`/users/${patronId}`),
  });
  const addresses = patron.data?.personal?.addresses ?? [];
  if (addresses.length === 0) return null;
  const options = addresses.flatMap(({ addressTypeId, addressLine1, city }) => {
    const name = types.find(({ id }) => id === addressTypeId)?.addressType;
    return addressTypeId && name
      ? [{ id: addressTypeId, name: [name, addressLine1, city].filter(Boolean).join(", ") }]
      : [];
  });
  return (
    <Choice
      label={own.delivery}
      options={[{ id: KEEP, name: own.noDelivery }, ...options]}
      value={said.address || KEEP}
      onChange={(address) => say({ address: address === KEEP ? "" : address })}
    />
  );
}

function Destination({ rows, said, say }: FieldsProps) {
  const words = useWords();
  const own = useListWords().bulk.fields;
  const titles = new Set(rows.map(({ instanceId }) => instanceId));
  const [instance = ""] = titles;
  const copies = useQuery({ ...items(instance), enabled: titles.size === 1 && instance !== "" });
  useEffect(() => say({ instance }), [instance, say]);
  if (titles.size > 1) return <p className="banner warn">{own.several}</p>;
  const others = (copies.data ?? []).filter(({ id }) => rows.some(({ itemId }) => itemId !== id));
  if (copies.isSuccess && others.length === 0) return <p className="banner warn">{own.noItem}</p>;
  return (
    <>
      <Choice
        label={own.item}
        options={others.map(({ id, barcode, effectiveLocation, status }) => ({
          id,
          name: [barcode, effectiveLocation?.name, words.statuses[status.name] ?? status.name].join(" · "),
        }))}
        value={said.item ?? null}
        onChange={(item) => say({ item })}
        isRequired
      />
      <Choice
        label={own.type}
        options={(["Hold", "Recall", "Page"] as const).map((id) => ({ id, name: words.requestTypes[id] ?? id }))}
        value={said.type ?? rows[0]?.request?.requestType ?? null}
        onChange={(type) => say({ type })}
      />
    </>
  );
}

export const cancellationReasons = queryOptions({
  queryKey: ["cancellation-reasons"],
  staleTime: HOUR,
  queryFn: async () =>
    (await list("/cancellation-reason-storage/cancellation-reasons", { limit: 200 })).cancellationReasons,
});

function Cancelling({ rows, said, say }: FieldsProps) {
  const words = useWords();
  const known = useQuery(cancellationReasons).data ?? [];
  const reason = said.reason ?? known[0]?.id;
  // The first, until somebody chooses another: what is shown is what is sent.
  useEffect(() => {
    if (reason !== undefined) say({ reason });
  }, [reason, say]);
  return (
    <>
      <Choice
        label={words.requests.reason}
        options={known}
        value={reason ?? null}
        onChange={(reason) => say({ reason })}
        isRequired
      />
      <Comment {...{ rows, said, say }} isRequired={false} />
    </>
  );
}
