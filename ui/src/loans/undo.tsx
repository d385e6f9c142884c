/** Takes the last thing that was done to a loan back, as if it had not been. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { Button } from "../parts/button.tsx";
import { Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";

interface Props {
  loanId: string;
  title: string;
  onUndone: () => void;
}

export function Undo({ loanId, title, onUndone }: Props) {
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
      {undoing.error && <Trouble error={undoing.error} />}
    </>
  );
}
