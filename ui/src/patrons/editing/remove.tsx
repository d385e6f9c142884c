/** Deletes a patron; if they have open transactions, it lists these instead. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { deletePatron, type OpenTransactions, openTransactions } from "../../api/patron-deletion.ts";
import type { User } from "../../api/records.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { clearUnsavedForm } from "../../parts/guarded-location.ts";
import { DialogOpener } from "../../parts/opens.tsx";
import { patronName } from "../../parts/portrait.tsx";
import { ErrorMessage, Loading } from "../../parts/states.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";
import { usePatronWords } from "../words/index.tsx";

export function RemovePatron({ user }: { user: User }) {
  const words = usePatronWords().remove;
  const may = useMay();
  if (!may("users-bl.item.delete", "users-bl.transactions.get")) return null;
  return (
    <DialogOpener>
      <Button kind="danger">{words.do}</Button>
      <RemoveDialog user={user} />
    </DialogOpener>
  );
}

function RemoveDialog({ user }: { user: User }) {
  const words = usePatronWords().remove;
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [since, setSince] = useState<OpenTransactions>();
  const asked = useQuery({
    queryKey: ["patron-form", user.id, "open"],
    gcTime: 0,
    queryFn: () => openTransactions(user.id),
  });
  const title = words.title(patronName(user));
  const open = since ?? asked.data;
  if (open === undefined || open.hasOpenTransactions) {
    return (
      <Dialog title={title}>{(close) => <OpenTransactionsList open={open} error={asked.error} close={close} />}</Dialog>
    );
  }
  return (
    <FormDialog
      title={title}
      submit={words.do}
      danger
      onSubmit={async () => {
        const kept = await deletePatron(user.id);
        if (kept) return setSince(kept);
        announce(words.done(patronName(user)));
        clearUnsavedForm();
        client.removeQueries({ queryKey: ["patron", user.id] });
        void client.invalidateQueries({ queryKey: ["patrons"] });
        navigate("/patrons");
      }}
      onDone={() => {}}
    >
      <p>{words.help}</p>
    </FormDialog>
  );
}

interface Props {
  open: OpenTransactions | undefined;
  error: unknown;
  close: () => void;
}

function OpenTransactionsList({ open, error, close }: Props) {
  const words = usePatronWords().remove;
  const common = useWords();
  const counts = Object.entries(words.counts) as [keyof typeof words.counts, (count: number) => string][];
  return (
    <>
      {error ? <ErrorMessage error={error} /> : open === undefined && <Loading />}
      {open && (
        <div className="banner warn">
          <p>{words.open}</p>
          <ul className="reasons">
            {counts.flatMap(([what, says]) => (open[what] > 0 ? <li key={what}>{says(open[what])}</li> : []))}
          </ul>
        </div>
      )}
      <div className="buttons">
        <Button onPress={close}>{common.close}</Button>
      </div>
    </>
  );
}
