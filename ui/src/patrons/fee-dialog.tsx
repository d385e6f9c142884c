/** The dialog that pays, waives, transfers, refunds or cancels fees/fines. */

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { equals } from "../api/cql.ts";
import { ask, Unreachable } from "../api/http.ts";
import type { Account, User } from "../api/records.ts";
import { AmountField, parseAmount } from "../parts/amount-field.tsx";
import { toCents } from "../parts/cents.ts";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMember, useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { bookedSince, loadFeeActions, refundableAmount } from "./fee-actions.ts";
import { FeeReceiptDialog } from "./fee-done.tsx";

export interface FeeDialogAction {
  name: "pay" | "waive" | "transfer" | "refund" | "cancel";
  needs: string;
  isPossible: (account: Account) => boolean;
  /** The list of methods for the action: payment methods, waive or refund reasons, or transfer accounts. */
  ways?: { path: string; collection: string; name: string; isPerOwner: boolean };
}

const isOwed = ({ remaining }: Account) => remaining > 0;
const isPaid = ({ amount, remaining }: Account) => amount > remaining;

export const FEE_ACTIONS: readonly FeeDialogAction[] = [
  {
    name: "pay",
    needs: "accounts.pay.post",
    isPossible: isOwed,
    ways: { path: "/payments", collection: "payments", name: "nameMethod", isPerOwner: true },
  },
  {
    name: "waive",
    needs: "accounts.waive.post",
    isPossible: isOwed,
    ways: { path: "/waives", collection: "waivers", name: "nameReason", isPerOwner: false },
  },
  {
    name: "transfer",
    needs: "accounts.transfer.post",
    isPossible: isOwed,
    ways: { path: "/transfers", collection: "transfers", name: "accountName", isPerOwner: true },
  },
  {
    name: "refund",
    needs: "accounts.refund.post",
    isPossible: isPaid,
    ways: { path: "/refunds", collection: "refunds", name: "nameReason", isPerOwner: false },
  },
  { name: "cancel", needs: "accounts.cancel.post", isPossible: (account) => isOwed(account) && !isPaid(account) },
];

type MethodRecord = Record<string, string | undefined> & { id: string };

const feeMethods = ({ name, ways }: FeeDialogAction, ownerId: string) =>
  queryOptions({
    queryKey: ["fee-ways", name, ownerId],
    enabled: ways !== undefined,
    queryFn: async () => {
      if (ways === undefined) return [];
      const query = ways.isPerOwner ? equals("ownerId", ownerId) : undefined;
      const answer = await ask<Record<string, MethodRecord[]>>(ways.path, { query: { query, limit: 200 } });
      return (answer[ways.collection] ?? []).map((way) => ({ id: way[ways.name] ?? "", name: way[ways.name] ?? "" }));
    },
  });

/** The actions on the accounts when the dialog was opened. They are not loaded again while it is open. */
const actionsBefore = (accounts: Account[]) =>
  queryOptions({
    queryKey: ["fee-actions-before", ...accounts.map(({ id }) => id)],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // React Query takes no undefined.
    queryFn: async () => (await loadFeeActions(accounts)) ?? null,
  });

interface Props {
  action: FeeDialogAction;
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
  const ways = useQuery(feeMethods(action, accounts[0]?.ownerId ?? ""));
  const actions = useQuery(actionsBefore(accounts));
  const amountOf = (account: Account) => {
    if (action.name !== "refund") return account.remaining;
    return refundableAmount(account, actions.data ?? []);
  };
  const most = accounts.reduce((cents, account) => cents + toCents(amountOf(account)), 0) / 100;
  const isKnown = action.name !== "refund" || !actions.isPending;
  const [typed, setTyped] = useState<string>();
  const said = typed ?? (isKnown ? formats.decimal(most) : "");
  const amount = parseAmount(said) ?? most;
  const isUnanswered = useRef(false);
  const [way, setWay] = useState<string>();
  const [comment, setComment] = useState("");
  const [notify, setNotify] = useState(false);
  const [done, setDone] = useState(false);
  const says = words.fees.dialogs[action.name];
  const chosen = way ?? ways.data?.[0]?.id;
  if (done) {
    const amounts = accounts.map((account) => ({ account, amount: amountOf(account) }));
    return <FeeReceiptDialog {...{ action, user, amounts, amount, onClose }} method={chosen} />;
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      onDone={() => setDone(true)}
      title={says.title}
      submit={words.fees.actions[action.name]}
      danger={action.name === "cancel"}
      onSubmit={async () => {
        const userName = [me.personal?.lastName, me.personal?.firstName].filter(Boolean).join(", ") || me.username;
        const body = {
          accountIds: accounts.map(({ id }) => id),
          ...(action.name === "cancel"
            ? { cancellationReason: "Cancelled as error" }
            : { amount: amount.toFixed(2), paymentMethod: chosen }),
          comments: comment,
          notifyPatron: notify,
          servicePointId: here?.id,
          userName,
        };
        const before = await client.fetchQuery(actionsBefore(accounts));
        const now = isUnanswered.current ? await loadFeeActions(accounts) : undefined;
        // An earlier attempt that got no answer may have been booked: it is not booked again.
        const booked = now && bookedSince(before ?? [], now, userName);
        if (booked !== undefined) setTyped(formats.decimal(booked));
        else {
          try {
            await ask(`/accounts-bulk/${action.name}`, { method: "POST", body });
          } catch (error) {
            isUnanswered.current ||= error instanceof Unreachable;
            throw error;
          }
        }
        await client.invalidateQueries({ queryKey: ["patron", user.id] });
        announce(words.fees.done[action.name](formats.money(booked ?? amount)));
      }}
    >
      {action.name !== "cancel" && (
        <>
          <AmountField
            label={words.fees.amount}
            value={said}
            onChange={setTyped}
            {...(isKnown && { most })}
            autoFocus
          />
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
