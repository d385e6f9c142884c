/** Undoes the last action on a loan. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { Button } from "../parts/button.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";

interface Props {
  loanId: string;
  title: string;
  onUndone: () => void;
}

export function UndoButton({ loanId, title, onUndone }: Props) {
  const words = useWords();
  const may = useMay();
  const client = useQueryClient();
  const undoing = useMutation({
    mutationFn: () => ask(`/octavo/loans/${loanId}/undo`, { method: "POST", body: {} }),
    onSuccess: () => {
      onUndone();
      return client.invalidateQueries({ queryKey: ["patron"] });
    },
  });
  if (!may("octavo.circulation.loans.undo.post")) return null;
  return (
    <>
      <Button
        kind="quiet"
        aria-label={`${words.checkOut.undo}: ${title}`}
        isDisabled={undoing.isPending}
        onPress={() => undoing.mutate()}
      >
        {words.checkOut.undo}
      </Button>
      {undoing.error && <ErrorMessage error={undoing.error} />}
    </>
  );
}
