/** The fields of the forms of actions on loans and requests. */

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
import type { ActionName, FormValues } from "./actions.ts";
import type { FieldsProps } from "./dialog.tsx";

const UNCHANGED = "keep";
const HOUR_MS = 3_600_000;

/** The first values of the fields of an action. */
export function initialValues(name: ActionName, rows: readonly ListRow[], { timeZone, isoDay }: Formats): FormValues {
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

export const ACTION_FIELDS = {
  renew: undefined,
  changeDueDate: DueDateField,
  claimReturned: CommentField,
  markMissing: CommentField,
  declareLost: CommentField,
  edit: RequestFields,
  move: MoveFields,
  cancel: CancelFields,
};

function DueDateField({ values, setValues }: FieldsProps) {
  const words = useWords();
  return (
    <Field
      type="date"
      label={words.checkOut.overrideDue}
      value={values.day ?? ""}
      onChange={(day) => setValues({ day })}
      isRequired
      autoFocus
    />
  );
}

function CommentField({ values, setValues, isRequired = true }: FieldsProps & { isRequired?: boolean }) {
  const words = useWords();
  return (
    <Field
      label={words.comment}
      value={values.comment ?? ""}
      onChange={(comment) => setValues({ comment })}
      lines={2}
      isRequired={isRequired}
      autoFocus={isRequired}
    />
  );
}

function RequestFields({ rows, values, setValues }: FieldsProps) {
  const own = useListWords().bulk;
  const points = (useQuery(servicePoints).data ?? []).filter(({ pickupLocation }) => pickupLocation);
  const isOne = rows.length === 1;
  const isOnShelf = rows.some(({ request }) => request?.status === "Open - Awaiting pickup");
  return (
    <>
      <Choice
        label={own.fields.pickup}
        options={[...(isOne ? [] : [{ id: UNCHANGED, name: own.unchanged }]), ...points]}
        value={values.pickup || (isOne ? null : UNCHANGED)}
        onChange={(pickup) => setValues({ pickup: pickup === UNCHANGED ? "" : pickup, address: "" })}
      />
      {isOne && <DeliveryField {...{ rows, values, setValues }} />}
      <div className="pair">
        <Field
          type="date"
          label={own.fields.wanted}
          value={values.wanted ?? ""}
          onChange={(wanted) => setValues({ wanted })}
        />
        {isOnShelf && (
          <Field
            type="date"
            label={own.fields.kept}
            value={values.kept ?? ""}
            onChange={(kept) => setValues({ kept })}
          />
        )}
      </div>
    </>
  );
}

const addressTypes = queryOptions({
  queryKey: ["address-types"],
  staleTime: HOUR_MS,
  queryFn: async () => (await list("/addresstypes", { limit: 200 })).addressTypes,
});

/** Delivery to one of the patron's addresses; not shown if the patron has no address. */
function DeliveryField({ rows, values, setValues }: FieldsProps) {
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
      options={[{ id: UNCHANGED, name: own.noDelivery }, ...options]}
      value={values.address || UNCHANGED}
      onChange={(address) => setValues({ address: address === UNCHANGED ? "" : address })}
    />
  );
}

function MoveFields({ rows, values, setValues }: FieldsProps) {
  const words = useWords();
  const own = useListWords().bulk.fields;
  const titles = new Set(rows.map(({ instanceId }) => instanceId));
  const [instance = ""] = titles;
  const copies = useQuery({ ...items(instance), enabled: titles.size === 1 && instance !== "" });
  useEffect(() => setValues({ instance }), [instance, setValues]);
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
        value={values.item ?? null}
        onChange={(item) => setValues({ item })}
        isRequired
      />
      <Choice
        label={own.type}
        options={(["Hold", "Recall", "Page"] as const).map((id) => ({ id, name: words.requestTypes[id] ?? id }))}
        value={values.type ?? rows[0]?.request?.requestType ?? null}
        onChange={(type) => setValues({ type })}
      />
    </>
  );
}

export const cancellationReasons = queryOptions({
  queryKey: ["cancellation-reasons"],
  staleTime: HOUR_MS,
  queryFn: async () =>
    (await list("/cancellation-reason-storage/cancellation-reasons", { limit: 200 })).cancellationReasons,
});

function CancelFields({ rows, values, setValues }: FieldsProps) {
  const words = useWords();
  const known = useQuery(cancellationReasons).data ?? [];
  const reason = values.reason ?? known[0]?.id;
  // The first reason is preselected: it is put into the form's values, so that what is shown is what is sent.
  useEffect(() => {
    if (reason !== undefined) setValues({ reason });
  }, [reason, setValues]);
  return (
    <>
      <Choice
        label={words.requests.reason}
        options={known}
        value={reason ?? null}
        onChange={(reason) => setValues({ reason })}
        isRequired
      />
      <CommentField {...{ rows, values, setValues }} isRequired={false} />
    </>
  );
}
