/** A fee/fine that staff charge manually, e.g. for a lost card, a damaged book or a copy. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { Unreachable } from "../api/http.ts";
import type { User } from "../api/records.ts";
import { chargeableFeeTypes, chargeFee, feeOwners, findCharge, findItemByBarcode } from "../api/settings-fees.ts";
import { AmountField, parseAmount } from "../parts/amount-field.tsx";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay, useMember, useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";

const CHARGE_PERMISSIONS = [
  "accounts.item.post",
  "feefineactions.item.post",
  "owners.collection.get",
  "feefines.collection.get",
] as const;

export function ChargeButton({ user }: { user: User }) {
  const words = useWords();
  const may = useMay();
  if (!may(...CHARGE_PERMISSIONS)) return null;
  return (
    <DialogOpener>
      <Button>{words.charge.do}</Button>
      <ChargeDialog user={user} />
    </DialogOpener>
  );
}

function ChargeDialog({ user }: { user: User }) {
  const words = useWords();
  const formats = useFormats();
  const client = useQueryClient();
  const here = useServicePoint();
  const { user: me } = useMember();
  const owners = useQuery(feeOwners).data ?? [];
  const [said, say] = useState<{ owner?: string; type?: string; amount?: string }>({});
  const [barcode, setBarcode] = useState("");
  const [comment, setComment] = useState("");
  const [forPatron, setForPatron] = useState("");
  const [notify, setNotify] = useState(false);
  /** The id of the account of an attempt that got no answer. */
  const unanswered = useRef<string>(undefined);
  // The fee/fine owner of this service point is the default.
  const ofHere = owners.find(({ servicePointOwner = [] }) => servicePointOwner.some(({ value }) => value === here?.id));
  const owner = owners.find(({ id }) => id === said.owner) ?? ofHere ?? owners[0];
  const types = useQuery(chargeableFeeTypes(owner?.id ?? "")).data;
  const type = types?.find(({ id }) => id === said.type);
  const amount = said.amount ?? (type?.defaultAmount === undefined ? "" : formats.decimal(type.defaultAmount));
  return (
    <FormDialog
      title={words.charge.title}
      submit={words.charge.submit}
      onSubmit={async () => {
        const charged = parseAmount(amount);
        if (owner === undefined || type === undefined || charged === undefined) throw new Error("nothing is chosen");
        const item = barcode.trim() === "" ? undefined : await findItemByBarcode(barcode.trim());
        // An earlier attempt that got no answer may have succeeded: the fee/fine is not charged again.
        const earlier = unanswered.current && (await findCharge(unanswered.current));
        if (typeof earlier === "number") {
          await client.invalidateQueries({ queryKey: ["patron", user.id] });
          return announce(words.charge.done(formats.money(earlier)));
        }
        const id = crypto.randomUUID();
        unanswered.current = undefined;
        const charging = chargeFee({
          id,
          user,
          owner,
          type,
          amount: charged,
          ...(item && { item }),
          comment,
          forPatron,
          notify,
          servicePointId: here?.id,
          source: [me.personal?.lastName, me.personal?.firstName].filter(Boolean).join(", ") || (me.username ?? ""),
        });
        await charging.catch((error) => {
          if (error instanceof Unreachable) unanswered.current = id;
          throw error;
        });
        await client.invalidateQueries({ queryKey: ["patron", user.id] });
        announce(words.charge.done(formats.money(charged)));
      }}
    >
      {owners.length > 1 && (
        <Choice
          label={words.charge.owner}
          options={owners.map(({ id, owner: name = "" }) => ({ id, name }))}
          value={owner?.id ?? null}
          onChange={(id) => say({ owner: id })}
          isRequired
        />
      )}
      {types?.length === 0 ? (
        <p className="banner warn">{words.charge.noTypes}</p>
      ) : (
        <Choice
          label={words.charge.type}
          options={(types ?? []).map(({ id, feeFineType: name }) => ({ id, name }))}
          value={type?.id ?? null}
          placeholder={words.charge.choose}
          onChange={(id) => say((now) => ({ ...(now.owner && { owner: now.owner }), type: id }))}
          isRequired
        />
      )}
      <div className="pair">
        <AmountField
          label={words.fees.amount}
          value={amount}
          onChange={(text) => say((now) => ({ ...now, amount: text }))}
        />
        <Field label={words.charge.item} value={barcode} onChange={setBarcode} />
      </div>
      <Field label={words.charge.comment} value={comment} onChange={setComment} lines={2} />
      <Checkbox className="check" isSelected={notify} onChange={setNotify}>
        <span className="tick" aria-hidden="true" />
        {words.fees.notify}
      </Checkbox>
      {notify && <Field label={words.charge.forPatron} value={forPatron} onChange={setForPatron} lines={2} />}
    </FormDialog>
  );
}
