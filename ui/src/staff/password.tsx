/** For somebody who has forgotten their password: a link to choose another one, or a new one by the library's rules for passwords. */

import { useState } from "react";
import { refusing } from "../api/http.ts";
import type { User } from "../api/records.ts";
import { passwordProblems, sendPasswordLink, setPassword } from "../api/settings-permissions.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { nameOf } from "../parts/portrait.tsx";
import { announce } from "../scanning/signals.tsx";
import { useSettingsWords } from "../settings/words/index.tsx";
import { useMay } from "../shell/session.ts";

export function SetPassword({ user }: { user: User }) {
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
  // Without a user name nobody signs in.
  if (!user.username) return <p className="help">{words.noUsername}</p>;
  return (
    <>
      {maySend && user.personal?.email && (
        <Opens>
          <Button>{words.link.send}</Button>
          <LinkDialog user={user} email={user.personal.email} />
        </Opens>
      )}
      {maySet && (
        <Opens>
          <Button>{words.set}</Button>
          <PasswordDialog user={user} username={user.username} />
        </Opens>
      )}
    </>
  );
}

function LinkDialog({ user, email }: { user: User; email: string }) {
  const words = useSettingsWords().password.link;
  return (
    <FormDialog
      title={words.title(nameOf(user))}
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
      title={words.title(nameOf(user))}
      submit={words.set}
      onSubmit={async () => {
        const found = await passwordProblems(user.id, password);
        setProblems(found);
        if (found.length > 0) throw refusing(422, words.refused);
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
