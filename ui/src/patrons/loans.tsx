/** The open or closed loans of a patron, and the actions on them. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Refused } from "../api/http.ts";
import { closedLoans, openLoans } from "../api/patrons.ts";
import type { Loan, User } from "../api/records.ts";
import { tryWithOverride } from "../check-out/override/standing.ts";
import { forgetRenewal, noteRenewal, overrideFor } from "../check-out/session.ts";
import { LOAN_ACTIONS, type LoanAction, LoanActionDialog } from "../loans/actions.tsx";
import { OverrideDialog } from "../loans/override.tsx";
import { overridableBlocks } from "../loans/refusal-words.ts";
import { type Renewal, renewLoan } from "../loans/renew.ts";
import { UndoButton } from "../loans/undo.tsx";
import { DueDateReasonsButton } from "../loans/why.tsx";
import { Button } from "../parts/button.tsx";
import { CallNumber, Code } from "../parts/code.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading, ReloadError } from "../parts/states.tsx";
import { ReceiptButtons } from "../receipts/buttons.tsx";
import { VisitReceipt } from "../receipts/content.tsx";
import { useReceiptWords } from "../receipts/words/index.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { useFormats, useWords } from "../words/index.tsx";

export function PatronLoans({ user }: { user: User }) {
  const words = useWords();
  const receiptWords = useReceiptWords();
  const library = useLibraryName();
  const may = useMay();
  const client = useQueryClient();
  const [get, set] = useAddress();
  const closed = get("loans") === "closed";
  const loans = useQuery((closed ? closedLoans : openLoans)(user.id));
  const [outcomes, setOutcomes] = useState<Record<string, unknown>>({});
  const [renewed, setRenewed] = useState<readonly Loan[]>([]);
  const renewing = useMutation({
    // One renewal after the other, since each may change what the next one is refused for.
    mutationFn: async (wanted: Renewal[]) => {
      const failed: Record<string, unknown> = {};
      const done: Loan[] = [];
      for (const one of wanted) {
        await renewWithOverride(one).then(
          (loan) => done.push(loan),
          (error) => Object.assign(failed, { [one.itemId]: error }),
        );
      }
      return { failed, done };
    },
    onSuccess: ({ failed, done }, wanted) => {
      setOutcomes(failed);
      setRenewed((now) => [...now.filter(({ id }) => !done.some((loan) => loan.id === id)), ...done]);
      for (const loan of done) noteRenewal(user.id, loan);
      announce(words.patrons.renewed(wanted.length - Object.keys(failed).length, wanted.length));
      return client.invalidateQueries({ queryKey: ["patron", user.id] });
    },
  });
  if (loans.isPending) return <Loading />;
  if (loans.isLoadingError) return <ErrorMessage error={loans.error} retry={() => void loans.refetch()} />;
  const all = loans.data.loans;
  // Renewed loans that have not been undone or changed since. The same instant may be written differently by a renewal
  // and by a list.
  const stillRenewed = renewed.filter((one) =>
    all.some(({ id, dueDate }) => id === one.id && Date.parse(dueDate) === Date.parse(one.dueDate)),
  );
  const mayRenew = may("circulation.renew-by-id.post") && !closed;
  return (
    <section aria-label={words.patrons.loans}>
      <ReloadError asked={loans} />
      <div className="tools">
        <Button kind="quiet" onPress={() => set({ loans: closed ? undefined : "closed" })}>
          {closed ? words.patrons.showOpen : words.patrons.showClosed}
        </Button>
        {mayRenew && all.length > 1 && (
          <Button
            isDisabled={renewing.isPending}
            onPress={() => renewing.mutate(all.map((loan) => toRenewal(loan, user)))}
          >
            {words.patrons.renewAll}
          </Button>
        )}
        {stillRenewed.length > 0 && (
          <ReceiptButtons
            user={user}
            subject={receiptWords.visitSubject(library)}
            content={<VisitReceipt patron={user} loans={[]} renewed={stillRenewed} />}
          />
        )}
      </div>
      {all.length === 0 && <EmptyMessage>{closed ? words.patrons.noneClosed : words.patron.noLoans}</EmptyMessage>}
      <ul className="rows">
        {all.map((loan) => (
          <LoanRow
            key={loan.id}
            loan={loan}
            refused={outcomes[loan.itemId]}
            busy={renewing.isPending}
            onRenew={mayRenew ? (more) => renewing.mutate([{ ...toRenewal(loan, user), ...more }]) : undefined}
          />
        ))}
      </ul>
    </section>
  );
}

/** Renews a loan, with the override of the visit if the patron is at the desk. */
const renewWithOverride = (one: Renewal): Promise<Loan> =>
  tryWithOverride(one.overrideBlocks ? undefined : overrideFor(one.userId), (overrideBlocks) =>
    renewLoan({ ...one, ...(overrideBlocks && { overrideBlocks }) }),
  );

const toRenewal = ({ itemId }: Loan, user: User): Renewal => ({ itemId, userId: user.id });

interface Props {
  loan: Loan;
  refused: unknown;
  busy: boolean;
  onRenew: ((more: Partial<Renewal>) => void) | undefined;
}

function LoanRow({ loan, refused, busy, onRenew }: Props) {
  const words = useWords();
  const formats = useFormats();
  const title = loan.item?.title ?? "";
  const open = loan.status?.name === "Open";
  const overdue = open && Date.parse(loan.dueDate) < Date.now();
  const override = refused instanceof Refused ? overridableBlocks(refused.refusals) : undefined;
  const status = loan.item?.status?.name;
  return (
    <li className="row">
      <div className="what">
        <strong>{title}</strong>
        <small>
          <CallNumber>{loan.item?.callNumber}</CallNumber> <Code>{loan.item?.barcode}</Code>
        </small>
        <small>
          {loan.loanPolicy?.name}
          {loan.renewalCount ? ` · ${words.patrons.renewals(loan.renewalCount)}` : ""}
          {loan.dueDateChangedByRecall && ` · ${words.patrons.recalled}`}
          {open && status && status !== "Checked out" && ` · ${words.statuses[status] ?? status}`}
        </small>
      </div>
      <p className={overdue ? "due bad" : "due"}>
        {open
          ? words.checkOut.due(formats.due(loan.dueDate))
          : words.patrons.returned(formats.due(loan.returnDate ?? loan.dueDate))}
      </p>
      <div className="actions">
        {onRenew && (
          <Button aria-label={`${words.patrons.renew}: ${title}`} isDisabled={busy} onPress={() => onRenew({})}>
            {words.patrons.renew}
          </Button>
        )}
        <DueDateReasonsButton loan={loan} title={title} />
        {open && <MoreActions loan={loan} />}
      </div>
      {refused !== undefined && <ErrorMessage error={refused} />}
      {override?.permitted && onRenew && (
        <DialogOpener>
          <Button>{words.patrons.renewAnyway}</Button>
          <OverrideDialog
            title={words.patrons.renewTitle(title)}
            submit={words.patrons.renewAnyway}
            blocks={override.blocks}
            onOverride={(overrideBlocks) => onRenew({ overrideBlocks })}
          />
        </DialogOpener>
      )}
    </li>
  );
}

function MoreActions({ loan }: { loan: Loan }) {
  const words = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [chosen, choose] = useState<LoanAction>();
  const possible = LOAN_ACTIONS.filter(({ needs, isPossible }) => may(needs) && isPossible(loan));
  const title = loan.item?.title ?? "";
  return (
    <>
      {possible.length > 0 && (
        <MenuTrigger>
          <AriaButton className="button quiet" aria-label={`${words.more}: ${title}`}>
            {words.more}
          </AriaButton>
          <Popover className="popover">
            <Menu className="options" onAction={(name) => choose(possible.find((action) => action.name === name))}>
              {possible.map(({ name }) => (
                <MenuItem className="option" id={name} key={name}>
                  {words.loanActions[name].do}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      <UndoButton
        loanId={loan.id}
        title={title}
        onUndone={() => {
          forgetRenewal(loan.id);
          void client.invalidateQueries({ queryKey: ["patron"] });
        }}
      />
      {chosen && <LoanActionDialog action={chosen} loan={loan} onClose={() => choose(undefined)} />}
    </>
  );
}
