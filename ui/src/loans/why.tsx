/** Shows step by step how a due date was calculated. */

import { useQuery } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import type { ExplainedLoan } from "../api/octavo.ts";
import type { Loan } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { stepText } from "./steps.ts";

/** Opens the reasons for a due date; `title` is how the page names the loan. */
export function DueDateReasonsButton({ loan, title }: { loan: Loan; title: string }) {
  const words = useWords();
  const may = useMay();
  if (!may("octavo.circulation.loans.explain.get")) return null;
  return (
    <DialogOpener>
      <Button kind="quiet" aria-label={`${words.checkOut.why} ${title}`}>
        {words.checkOut.why}
      </Button>
      <Dialog title={words.checkOut.whyTitle(loan.item?.title ?? "")}>
        {() => <DueDateReasons loanId={loan.id} />}
      </Dialog>
    </DialogOpener>
  );
}

function DueDateReasons({ loanId }: { loanId: string }) {
  const words = useWords();
  const formats = useFormats();
  const explained = useQuery({
    queryKey: ["loan", loanId, "explain"],
    queryFn: () => ask<ExplainedLoan>(`/circulation/loans/${loanId}/explain`),
  });
  if (explained.isPending) return <Loading />;
  if (explained.error) return <ErrorMessage error={explained.error} retry={() => void explained.refetch()} />;
  return explained.data.decisions
    .filter(({ undone }) => !undone)
    .map(({ id, steps }) => (
      <ol className="reasons" key={id}>
        {steps
          .map((step) => stepText(step, words, formats))
          .filter((sentence) => sentence !== undefined)
          .map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
      </ol>
    ));
}
