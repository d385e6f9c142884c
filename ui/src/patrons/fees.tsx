/** What a patron owes or has owed: chosen, then paid, waived, transferred, refunded or cancelled together. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { closedAccounts, feeHistory, openAccounts } from "../api/patrons.ts";
import type { Account, User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { ReceiptButtons } from "../receipts/buttons.tsx";
import { Statement } from "../receipts/content.tsx";
import { useReceiptWords } from "../receipts/words/index.tsx";
import { useMay } from "../shell/session.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { Charge } from "./charge.tsx";
import { FEE_ACTIONS, type FeeAction, FeeDialog } from "./fee-dialog.tsx";

export function Fees({ user }: { user: User }) {
  const words = useWords();
  const receiptWords = useReceiptWords();
  const library = useLibraryName();
  const [get, set] = useAddress();
  const closed = get("fees") === "closed";
  const accounts = useQuery((closed ? closedAccounts : openAccounts)(user.id));
  // Here, not in the list: what has been paid leaves it, and its receipt is still to be printed.
  const [doing, setDoing] = useState<{ action: FeeAction; accounts: Account[] }>();
  if (accounts.isPending) return <Loading />;
  if (accounts.error) return <Trouble error={accounts.error} retry={() => void accounts.refetch()} />;
  return (
    <section aria-label={words.patrons.fees}>
      <div className="tools">
        <Button kind="quiet" onPress={() => set({ fees: closed ? undefined : "closed" })}>
          {closed ? words.patrons.showOpen : words.patrons.showClosed}
        </Button>
        {!closed && <Charge user={user} />}
        {!closed && accounts.data.length > 0 && (
          <ReceiptButtons
            label={receiptWords.statement}
            subject={receiptWords.statementSubject(library)}
            content={<Statement user={user} accounts={accounts.data} />}
          />
        )}
      </div>
      {accounts.data.length === 0 ? (
        <Empty>{closed ? words.patrons.noneClosed : words.patron.owesNothing}</Empty>
      ) : (
        <Listed accounts={accounts.data} onDo={setDoing} key={String(closed)} />
      )}
      {doing && <FeeDialog {...doing} user={user} onClose={() => setDoing(undefined)} />}
    </section>
  );
}

function Listed({
  accounts,
  onDo,
}: {
  accounts: Account[];
  onDo: (doing: { action: FeeAction; accounts: Account[] }) => void;
}) {
  const words = useWords();
  const formats = useFormats();
  const may = useMay();
  const [left, leave] = useState<ReadonlySet<string>>(new Set());
  // Everything is chosen to begin with: most people come to pay it all.
  const chosen = accounts.filter(({ id }) => !left.has(id));
  const sum = chosen.reduce((total, { remaining }) => total + remaining, 0);
  const possible = FEE_ACTIONS.filter(({ needs, suits }) => may(needs) && chosen.length > 0 && chosen.every(suits));
  return (
    <>
      <ul className="rows">
        {accounts.map((account) => (
          <OneFee
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

function OneFee({ account, chosen, onChoose }: { account: Account; chosen: boolean; onChoose: (on: boolean) => void }) {
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
        <Opens>
          <Button kind="quiet" aria-label={`${words.fees.history}: ${name}`}>
            {words.fees.history}
          </Button>
          <Dialog title={name}>{() => <History account={account} />}</Dialog>
        </Opens>
      </div>
    </li>
  );
}

function History({ account }: { account: Account }) {
  const words = useWords();
  const formats = useFormats();
  const actions = useQuery(feeHistory(account.id));
  if (actions.isPending) return <Loading />;
  if (actions.error) return <Trouble error={actions.error} retry={() => void actions.refetch()} />;
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
