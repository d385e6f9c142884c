/** The page that a password link opens: the user chooses a new password, without being signed in. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link } from "wouter";
import { Refused } from "../api/http.ts";
import { checkPasswordLink, setPasswordByLink } from "../api/settings-permissions.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { Logo } from "../parts/mark.tsx";
import { errorText, Loading } from "../parts/states.tsx";
import { useSettingsWords } from "../settings/words/index.tsx";
import { useWords } from "../words/index.tsx";

export default function ChoosePasswordPage({ tenant, token }: { tenant: string; token: string }) {
  const words = useSettingsWords().password.link;
  const common = useWords();
  const link = useQuery({
    queryKey: ["password-link", tenant, token],
    queryFn: () => checkPasswordLink(tenant, token),
    retry: false,
  });
  useEffect(() => {
    document.title = common.pageTitle(words.choose, common.desk);
  }, [common, words]);
  return (
    <main className="door">
      <div className="card">
        <Logo />
        <h1>{words.choose}</h1>
        {link.isPending && <Loading />}
        {link.error && (
          <p className="banner bad" role="alert">
            {link.error instanceof Refused ? words.over : errorText(link.error, common)}
          </p>
        )}
        {link.isSuccess && <ChoosePasswordForm tenant={tenant} token={token} />}
      </div>
    </main>
  );
}

function ChoosePasswordForm({ tenant, token }: { tenant: string; token: string }) {
  const words = useSettingsWords().password;
  const common = useWords();
  const [password, say] = useState("");
  const setting = useMutation({ mutationFn: () => setPasswordByLink(tenant, token, password) });
  if (setting.isSuccess) {
    return (
      <>
        <p role="status">{words.link.done}</p>
        <Link href="/">{common.signIn.title}</Link>
      </>
    );
  }
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        setting.mutate();
      }}
    >
      <Field
        label={words.label}
        type="password"
        value={password}
        onChange={(text) => {
          say(text);
          setting.reset();
        }}
        error={setting.error ? said(setting.error) : undefined}
        autoComplete="new-password"
        isRequired
        autoFocus
      />
      <Button kind="primary" type="submit" isDisabled={setting.isPending}>
        {words.link.set}
      </Button>
    </Form>
  );

  /** The library's password rules that the password breaks, or the error message. */
  function said(error: Error): string {
    const codes = error instanceof Refused ? error.refusals.map(({ code = "" }) => words.rules[code]) : [];
    const known = codes.filter((text) => text !== undefined);
    return known.length > 0 ? known.join(" ") : errorText(error, common);
  }
}
