/**
 * The open or closed fees/fines of a patron; the chosen ones are paid, waived, transferred, refunded or cancelled
 * together.
 */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { closedAccounts, feeHistory, openAccounts } from "../api/patrons.ts";
import type { Account, User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading, ReloadError } from "../parts/states.tsx";
import { ReceiptButtons } from "../receipts/buttons.tsx";
import { FeeStatement } from "../receipts/content.tsx";
import { useReceiptWords } from "../receipts/words/index.tsx";
import { useMay } from "../shell/session.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { ChargeButton } from "./charge.tsx";
import { FEE_ACTIONS, FeeDialog, type FeeDialogAction } from "./fee-dialog.tsx";

export function PatronFees({ user }: { user: User }) {
  const words = useWords();
  const receiptWords = useReceiptWords();
  const library = useLibraryName();
  const [get, set] = useAddress();
  const closed = get("fees") === "closed";
  const accounts = useQuery((closed ? closedAccounts : openAccounts)(user.id));
  // Kept here and not in the list: paid accounts leave the list while their receipt is still to be printed.
  const [doing, setDoing] = useState<{ action: FeeDialogAction; accounts: Account[] }>();
  if (accounts.isPending) return <Loading />;
  if (accounts.isLoadingError) return <ErrorMessage error={accounts.error} retry={() => void accounts.refetch()} />;
  return (
    <section aria-label={words.patrons.fees}>
      <ReloadError asked={accounts} />
      <div className="tools">
        <Button kind="quiet" onPress={() => set({ fees: closed ? undefined : "closed" })}>
          {closed ? words.patrons.showOpen : words.patrons.showClosed}
        </Button>
        {!closed && <ChargeButton user={user} />}
        {!closed && accounts.data.length > 0 && (
          <ReceiptButtons
            label={receiptWords.statement}
            subject={receiptWords.statementSubject(library)}
            content={<FeeStatement user={user} accounts={accounts.data} />}
          />
        )}
      </div>
      {accounts.data.length === 0 ? (
        <EmptyMessage>{closed ? words.patrons.noneClosed : words.patron.owesNothing}</EmptyMessage>
      ) : (
        <FeeList accounts={accounts.data} onDo={setDoing} key={String(closed)} />
      )}
      {doing && <FeeDialog {...doing} user={user} onClose={() => setDoing(undefined)} />}
    </section>
  );
}

function FeeList({
  accounts,
  onDo,
}: {
  accounts: Account[];
  onDo: (doing: { action: FeeDialogAction; accounts: Account[] }) => void;
}) {
  const words = useWords();
  const formats = useFormats();
  const may = useMay();
  const [left, leave] = useState<ReadonlySet<string>>(new Set());
  // All are chosen at first, since most patrons pay everything.
  const chosen = accounts.filter(({ id }) => !left.has(id));
  const sum = chosen.reduce((total, { remaining }) => total + remaining, 0);
  const possible = FEE_ACTIONS.filter(
    ({ needs, isPossible }) => may(needs) && chosen.length > 0 && chosen.every(isPossible),
  );
  return (
    <>
      <ul className="rows">
        {accounts.map((account) => (
          <FeeRow
            key={account.id}
            account={account}
            chosen={!left.has(account.id)}
            onChoose={(on) => {
              const next = new Set(left);
              if (on) next.delete(account.id);
              else next.add(account.id);
              leave(next);
            }}
          />
        ))}
      </ul>
      <div className="session-end">
        <p role="status">{words.fees.chosen(chosen.length, formats.money(sum))}</p>
        {possible.map((action) => (
          <Button
            key={action.name}
            kind={action.name === "pay" ? "primary" : "plain"}
            onPress={() => onDo({ action, accounts: chosen })}
          >
            {words.fees.actions[action.name]}
          </Button>
        ))}
      </div>
    </>
  );
}

function FeeRow({ account, chosen, onChoose }: { account: Account; chosen: boolean; onChoose: (on: boolean) => void }) {
  const words = useWords();
  const formats = useFormats();
  const name = `${account.feeFineType ?? ""} ${account.title ?? ""}`.trim();
  return (
    <li className="row with-check">
      <Checkbox className="check" aria-label={name} isSelected={chosen} onChange={onChoose}>
        <span className="tick" aria-hidden="true" />
      </Checkbox>
      <div className="what">
        <strong>{account.feeFineType}</strong>
        <small>
          {account.title} <Code>{account.barcode}</Code>
        </small>
        <small>
          {account.metadata?.createdDate && formats.day(account.metadata.createdDate)} ·{" "}
          {words.paymentStatuses[account.paymentStatus.name] ?? account.paymentStatus.name}
        </small>
      </div>
      <p className="due">
        {formats.money(account.remaining)}
        {account.remaining !== account.amount && <small> {words.fees.of(formats.money(account.amount))}</small>}
      </p>
      <div className="actions">
        <DialogOpener>
          <Button kind="quiet" aria-label={`${words.fees.history}: ${name}`}>
            {words.fees.history}
          </Button>
          <Dialog title={name}>{() => <FeeHistory account={account} />}</Dialog>
        </DialogOpener>
      </div>
    </li>
  );
}

function FeeHistory({ account }: { account: Account }) {
  const words = useWords();
  const formats = useFormats();
  const actions = useQuery(feeHistory(account.id));
  if (actions.isPending) return <Loading />;
  if (actions.error) return <ErrorMessage error={actions.error} retry={() => void actions.refetch()} />;
  return (
    <ol className="reasons">
      {actions.data.map((action) => (
        <li key={action.id}>
          <strong>{words.paymentStatuses[action.typeAction ?? ""] ?? action.typeAction}</strong>{" "}
          {action.amountAction !== undefined && formats.money(action.amountAction)}
          {action.paymentMethod && ` · ${action.paymentMethod}`}
          <br />
          <small>
            {action.dateAction && formats.moment(action.dateAction)} · {action.source}
            {action.comments && ` · ${action.comments}`}
          </small>
        </li>
      ))}
    </ol>
  );
}
