/**
 * Returns from the self-check machine to the desk. It requires a new sign-in, so that the machine's own account does
 * not open the desk.
 */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { session, signIn, signOut, workplace } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { machine } from "./machine.ts";
import { useSelfWords } from "./words/index.tsx";

function mayOpenDesk(): boolean {
  const now = session.get();
  return now.is === "in" && now.member.permissions.has("circulation.check-out-by-barcode.post");
}

export function LeaveButton() {
  const words = useSelfWords();
  return (
    <DialogOpener>
      <Button kind="quiet">{words.staff}</Button>
      <Dialog title={words.leave}>{(close) => <LeaveForm close={close} />}</Dialog>
    </DialogOpener>
  );
}

function LeaveForm({ close }: { close: () => void }) {
  const words = useSelfWords();
  const common = useWords();
  const client = useQueryClient();
  const { tenant = "" } = workplace.use();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const leaving = useMutation({
    mutationFn: () => signIn(client, tenant, username, password),
    onSuccess: () => {
      // Patrons may have accounts, too: signing in with one does not open the desk, and replaces the machine's account.
      if (!mayOpenDesk()) return signOut();
      machine.set((now) => ({ ...now, on: false }));
      location.assign("/desk/");
    },
  });
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        leaving.mutate();
      }}
    >
      <p>{words.leaveHelp}</p>
      <Field
        label={common.signIn.username}
        value={username}
        onChange={setUsername}
        autoComplete="off"
        autoFocus
        isRequired
      />
      <Field
        label={common.signIn.password}
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="off"
        isRequired
      />
      {leaving.error && <ErrorMessage error={leaving.error} />}
      <div className="buttons">
        <Button onPress={close}>{common.cancel}</Button>
        <Button kind="primary" type="submit" isDisabled={leaving.isPending}>
          {words.leave}
        </Button>
      </div>
    </Form>
  );
}
