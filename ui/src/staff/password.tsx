/** Buttons for a user who has forgotten their password: sending a link, or setting a new password. */

import { useState } from "react";
import { createRefusal } from "../api/http.ts";
import type { User } from "../api/records.ts";
import { passwordProblems, sendPasswordLink, setPassword } from "../api/settings-permissions.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { patronName } from "../parts/portrait.tsx";
import { announce } from "../scanning/signals.tsx";
import { useSettingsWords } from "../settings/words/index.tsx";
import { useMay } from "../shell/session.ts";

export function PasswordButtons({ user }: { user: User }) {
  const words = useSettingsWords().password;
  const may = useMay();
  const maySet = may(
    "login.item.post",
    "login.item.delete",
    "login.credentials-existence.get",
    "validation.validate.post",
  );
  const maySend = may("users-bl.password-reset-link.generate");
  if (!maySet && !maySend) return null;
  // A user without a user name cannot sign in.
  if (!user.username) return <p className="help">{words.noUsername}</p>;
  return (
    <>
      {maySend && user.personal?.email && (
        <DialogOpener>
          <Button>{words.link.send}</Button>
          <LinkDialog user={user} email={user.personal.email} />
        </DialogOpener>
      )}
      {maySet && (
        <DialogOpener>
          <Button>{words.set}</Button>
          <PasswordDialog user={user} username={user.username} />
        </DialogOpener>
      )}
    </>
  );
}

function LinkDialog({ user, email }: { user: User; email: string }) {
  const words = useSettingsWords().password.link;
  return (
    <FormDialog
      title={words.title(patronName(user))}
      submit={words.send}
      onSubmit={async () => {
        await sendPasswordLink(user.id);
        announce(words.sent(email));
      }}
    >
      <p className="help">{words.help(email)}</p>
    </FormDialog>
  );
}

function PasswordDialog({ user, username }: { user: User; username: string }) {
  const words = useSettingsWords().password;
  const [password, say] = useState("");
  const [problems, setProblems] = useState<string[]>([]);
  return (
    <FormDialog
      title={words.title(patronName(user))}
      submit={words.set}
      onSubmit={async () => {
        const found = await passwordProblems(user.id, password);
        setProblems(found);
        if (found.length > 0) throw createRefusal(422, words.refused);
        await setPassword(user.id, username, password);
        announce(words.done);
      }}
    >
      <p className="help">{words.help(username)}</p>
      <Field
        label={words.label}
        value={password}
        onChange={(text) => {
          say(text);
          setProblems([]);
        }}
        error={problems.length > 0 ? problems.map((code) => words.rules[code] ?? code).join(" ") : undefined}
        autoComplete="new-password"
        isRequired
        autoFocus
      />
    </FormDialog>
  );
}
