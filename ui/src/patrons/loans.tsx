/** What a patron has out, or had: renewed, prolonged, lost, claimed, explained. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Refused } from "../api/http.ts";
import { closedLoans, openLoans } from "../api/patrons.ts";
import type { Loan, User } from "../api/records.ts";
import { insist } from "../check-out/override/standing.ts";
import { forgetRenewed, noteRenewed, standingFor } from "../check-out/session.ts";
import { ACTIONS, type LoanAction, LoanActionDialog } from "../loans/actions.tsx";
import { Override } from "../loans/override.tsx";
import { overridable } from "../loans/refusal-words.ts";
import { type Renewal, renew } from "../loans/renew.ts";
import { Undo } from "../loans/undo.tsx";
import { Why } from "../loans/why.tsx";
import { Button } from "../parts/button.tsx";
import { CallNumber, Code } from "../parts/code.tsx";
import { Opens } from "../parts/opens.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { ReceiptButtons } from "../receipts/buttons.tsx";
import { VisitReceipt } from "../receipts/content.tsx";
import { useReceiptWords } from "../receipts/words/index.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { useFormats, useWords } from "../words/index.tsx";

export function Loans({ user }: { user: User }) {
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
    // One after the other: each renewal may change what the next one is refused for.
    mutationFn: async (wanted: Renewal[]) => {
      const failed: Record<string, unknown> = {};
      const done: Loan[] = [];
      for (const one of wanted) {
        await insisted(one).then(
          (loan) => done.push(loan),
          (error) => Object.assign(failed, { [one.itemId]: error }),
        );
      }
      return { failed, done };
    },
    onSuccess: ({ failed, done }, wanted) => {
      setOutcomes(failed);
      setRenewed((now) => [...now.filter(({ id }) => !done.some((loan) => loan.id === id)), ...done]);
      for (const loan of done) noteRenewed(user.id, loan);
      announce(words.patrons.renewed(wanted.length - Object.keys(failed).length, wanted.length));
      return client.invalidateQueries({ queryKey: ["patron", user.id] });
    },
  });
  if (loans.isPending) return <Loading />;
  if (loans.error) return <Trouble error={loans.error} retry={() => void loans.refetch()} />;
  const all = loans.data.loans;
  // Not what has been undone or changed since. A renewal writes the same instant in another way than a list does.
  const stillRenewed = renewed.filter((one) =>
    all.some(({ id, dueDate }) => id === one.id && Date.parse(dueDate) === Date.parse(one.dueDate)),
  );
  const mayRenew = may("circulation.renew-by-id.post") && !closed;
  return (
    <section aria-label={words.patrons.loans}>
      <div className="tools">
        <Button kind="quiet" onPress={() => set({ loans: closed ? undefined : "closed" })}>
          {closed ? words.patrons.showOpen : words.patrons.showClosed}
        </Button>
        {mayRenew && all.length > 1 && (
          <Button
            isDisabled={renewing.isPending}
            onPress={() => renewing.mutate(all.map((loan) => renewal(loan, user)))}
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
      {all.length === 0 && <Empty>{closed ? words.patrons.noneClosed : words.patron.noLoans}</Empty>}
      <ul className="rows">
        {all.map((loan) => (
          <OneLoan
            key={loan.id}
            loan={loan}
            refused={outcomes[loan.itemId]}
            busy={renewing.isPending}
            onRenew={mayRenew ? (more) => renewing.mutate([{ ...renewal(loan, user), ...more }]) : undefined}
          />
        ))}
      </ul>
    </section>
  );
}

/** With what is overridden for the visit of the patron, if they stand at the desk. */
const insisted = (one: Renewal): Promise<Loan> =>
  insist(one.overrideBlocks ? undefined : standingFor(one.userId), (overrideBlocks) =>
    renew({ ...one, ...(overrideBlocks && { overrideBlocks }) }),
  );

const renewal = ({ itemId }: Loan, user: User): Renewal => ({ itemId, userId: user.id });

interface Props {
  loan: Loan;
  refused: unknown;
  busy: boolean;
  onRenew: ((more: Partial<Renewal>) => void) | undefined;
}

function OneLoan({ loan, refused, busy, onRenew }: Props) {
  const words = useWords();
  const formats = useFormats();
  const title = loan.item?.title ?? "";
  const open = loan.status?.name === "Open";
  const overdue = open && Date.parse(loan.dueDate) < Date.now();
  const override = refused instanceof Refused ? overridable(refused.refusals) : undefined;
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
        <Why loan={loan} title={title} />
        {open && <MoreActions loan={loan} />}
      </div>
      {refused !== undefined && <Trouble error={refused} />}
      {override?.permitted && onRenew && (
        <Opens>
          <Button>{words.patrons.renewAnyway}</Button>
          <Override
            title={words.patrons.renewTitle(title)}
            submit={words.patrons.renewAnyway}
            blocks={override.blocks}
            onOverride={(overrideBlocks) => onRenew({ overrideBlocks })}
          />
        </Opens>
      )}
    </li>
  );
}

function MoreActions({ loan }: { loan: Loan }) {
  const words = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [chosen, choose] = useState<LoanAction>();
  const possible = ACTIONS.filter(({ needs, suits }) => may(needs) && suits(loan));
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
      <Undo
        loanId={loan.id}
        title={title}
        onUndone={() => {
          forgetRenewed(loan.id);
          void client.invalidateQueries({ queryKey: ["patron"] });
        }}
      />
      {chosen && <LoanActionDialog action={chosen} loan={loan} onClose={() => choose(undefined)} />}
    </>
  );
}
