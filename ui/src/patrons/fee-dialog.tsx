/** Money in, out or forgiven. */

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { is } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import type { Account, User } from "../api/records.ts";
import { AmountField, amountOf } from "../parts/amount-field.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMember, useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { FeeDone } from "./fee-done.tsx";

export interface FeeAction {
  name: "pay" | "waive" | "transfer" | "refund" | "cancel";
  needs: string;
  suits: (account: Account) => boolean;
  /** Where the ways to do it are listed: payment methods, reasons, accounts elsewhere. */
  ways?: { path: string; collection: string; name: string; ofOwner: boolean };
}

const owed = ({ remaining }: Account) => remaining > 0;
const paid = ({ amount, remaining }: Account) => amount > remaining;

export const FEE_ACTIONS: readonly FeeAction[] = [
  {
    name: "pay",
    needs: "accounts.pay.post",
    suits: owed,
    ways: { path: "/payments", collection: "payments", name: "nameMethod", ofOwner: true },
  },
  {
    name: "waive",
    needs: "accounts.waive.post",
    suits: owed,
    ways: { path: "/waives", collection: "waivers", name: "nameReason", ofOwner: false },
  },
  {
    name: "transfer",
    needs: "accounts.transfer.post",
    suits: owed,
    ways: { path: "/transfers", collection: "transfers", name: "accountName", ofOwner: true },
  },
  {
    name: "refund",
    needs: "accounts.refund.post",
    suits: paid,
    ways: { path: "/refunds", collection: "refunds", name: "nameReason", ofOwner: false },
  },
  { name: "cancel", needs: "accounts.cancel.post", suits: (account) => owed(account) && !paid(account) },
];

type Way = Record<string, string | undefined> & { id: string };

const waysOf = ({ name, ways }: FeeAction, ownerId: string) =>
  queryOptions({
    queryKey: ["fee-ways", name, ownerId],
    enabled: ways !== undefined,
    queryFn: async () => {
      if (ways === undefined) return [];
      const query = ways.ofOwner ? is("ownerId", ownerId) : undefined;
      const answer = await ask<Record<string, Way[]>>(ways.path, { query: { query, limit: 200 } });
      return (answer[ways.collection] ?? []).map((way) => ({ id: way[ways.name] ?? "", name: way[ways.name] ?? "" }));
    },
  });

interface Props {
  action: FeeAction;
  user: User;
  accounts: Account[];
  onClose: () => void;
}

export function FeeDialog({ action, user, accounts, onClose }: Props) {
  const words = useWords();
  const formats = useFormats();
  const client = useQueryClient();
  const { user: me } = useMember();
  const here = useServicePoint();
  const ways = useQuery(waysOf(action, accounts[0]?.ownerId ?? ""));
  const most = toCents(
    accounts.reduce(
      (sum, { amount, remaining }) => sum + (action.name === "refund" ? amount - remaining : remaining),
      0,
    ),
  );
  const [said, say] = useState(formats.decimal(most));
  const amount = amountOf(said) ?? most;
  const [way, setWay] = useState<string>();
  const [comment, setComment] = useState("");
  const [notify, setNotify] = useState(false);
  const [done, setDone] = useState(false);
  const says = words.fees.dialogs[action.name];
  const chosen = way ?? ways.data?.[0]?.id;
  if (done) return <FeeDone {...{ action, user, accounts, amount, onClose }} way={chosen} />;
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      onDone={() => setDone(true)}
      title={says.title}
      submit={words.fees.actions[action.name]}
      danger={action.name === "cancel"}
      onSubmit={async () => {
        const body = {
          accountIds: accounts.map(({ id }) => id),
          ...(action.name === "cancel"
            ? { cancellationReason: "Cancelled as error" }
            : { amount: amount.toFixed(2), paymentMethod: chosen }),
          comments: comment,
          notifyPatron: notify,
          servicePointId: here?.id,
          userName: [me.personal?.lastName, me.personal?.firstName].filter(Boolean).join(", ") || me.username,
        };
        await ask(`/accounts-bulk/${action.name}`, { method: "POST", body });
        await client.invalidateQueries({ queryKey: ["patron", user.id] });
        announce(words.fees.done[action.name](formats.money(amount)));
      }}
    >
      {action.name !== "cancel" && (
        <>
          <AmountField label={words.fees.amount} value={said} onChange={say} most={most} autoFocus />
          {ways.data?.length === 0 ? (
            <p className="banner warn">{says.noWays}</p>
          ) : (
            <Choice label={says.way} options={ways.data ?? []} value={chosen ?? null} onChange={setWay} />
          )}
        </>
      )}
      <Field label={words.comment} value={comment} onChange={setComment} lines={2} />
      <Checkbox className="check" isSelected={notify} onChange={setNotify}>
        <span className="tick" aria-hidden="true" />
        {words.fees.notify}
      </Checkbox>
    </FormDialog>
  );
}

/** Whatever sums of floating numbers make of it. */
function toCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
