/** The loans of the patron at the self-check machine, which they can renew. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { openLoans } from "../api/patrons.ts";
import type { Loan, User } from "../api/records.ts";
import { renewLoan } from "../loans/renew.ts";
import { Button } from "../parts/button.tsx";
import { announce, playSignal } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { useSelfWords } from "./words/index.tsx";

type RenewalOutcome = { due: string } | { refused: true };

export function OwnLoans({ patron }: { patron: User }) {
  const words = useSelfWords();
  const formats = useFormats();
  const may = useMay();
  const client = useQueryClient();
  const loans = useQuery({ ...openLoans(patron.id), enabled: may("circulation.loans.collection.get") }).data?.loans;
  const [outcomes, setOutcomes] = useState<Record<string, RenewalOutcome>>({});
  const renewing = useMutation({
    gcTime: 0,
    // One renewal after the other, since each may change what the next one is refused for.
    mutationFn: async (wanted: Loan[]) => {
      for (const { id, itemId } of wanted) {
        const outcome = await renewLoan({ itemId, userId: patron.id }).then(
          ({ dueDate }): RenewalOutcome => ({ due: dueDate }),
          (): RenewalOutcome => ({ refused: true }),
        );
        setOutcomes((all) => ({ ...all, [id]: outcome }));
        announce("due" in outcome ? words.renewed(formats.due(outcome.due)) : words.notRenewed);
        playSignal("due" in outcome ? "well" : "badly");
      }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ["patron", patron.id] }),
  });
  if (loans === undefined) return null;
  if (loans.length === 0) return <p className="help">{words.nothing}</p>;
  const mayRenew = may("circulation.renew-by-id.post");
  return (
    <section aria-label={words.mine(loans.length)}>
      <div className="tools">
        <h2>{words.mine(loans.length)}</h2>
        {mayRenew && loans.length > 1 && (
          <Button isDisabled={renewing.isPending} onPress={() => renewing.mutate(loans)}>
            {words.renewAll}
          </Button>
        )}
      </div>
      <ul className="rows">
        {loans.map((loan) => (
          <OwnLoanRow
            key={loan.id}
            loan={loan}
            outcome={outcomes[loan.id]}
            onRenew={mayRenew && !renewing.isPending ? () => renewing.mutate([loan]) : undefined}
          />
        ))}
      </ul>
    </section>
  );
}

interface Props {
  loan: Loan;
  outcome: RenewalOutcome | undefined;
  onRenew: (() => void) | undefined;
}

function OwnLoanRow({ loan, outcome, onRenew }: Props) {
  const words = useSelfWords();
  const formats = useFormats();
  const isOverdue = Date.parse(loan.dueDate) < Date.now();
  const title = loan.item?.title ?? "";
  return (
    <li className="row">
      <p className="what">
        <strong>{title}</strong>
        {outcome && "refused" in outcome && <span className="refusal">{words.notRenewed}</span>}
      </p>
      <p className={isOverdue ? "due bad" : "due"}>
        {outcome && "due" in outcome ? words.renewed(formats.due(outcome.due)) : words.due(formats.due(loan.dueDate))}
        {isOverdue && !outcome && ` · ${words.overdue}`}
      </p>
      {onRenew && (
        <div className="actions">
          <Button aria-label={`${words.renew}: ${title}`} onPress={onRenew}>
            {words.renew}
          </Button>
        </div>
      )}
    </li>
  );
}
