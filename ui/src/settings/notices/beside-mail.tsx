/** Stands beside the settings of the mail server: sends a test e-mail. */

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { sendTestEmail } from "../../api/settings-mail.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { ErrorMessage } from "../../parts/states.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay, useMember } from "../../shell/session.ts";
import { useLibraryName } from "../../shell/shell.tsx";
import { useSettingsWords } from "../words/index.tsx";

/** The reason at the end of the server's message. */
const failureReason = (message = "") => message.replace(/^.*\| message: /, "");

export function BesideMail() {
  const words = useSettingsWords().mail;
  const may = useMay();
  const library = useLibraryName();
  const [to, setTo] = useState(useMember().user.personal?.email ?? "");
  const said = (email: Awaited<ReturnType<typeof sendTestEmail>>, to: string) => {
    if (email === undefined) return words.testWaiting;
    return email.status === "DELIVERED" ? words.testSent(to) : `${words.testFailed} ${failureReason(email.message)}`;
  };
  const testing = useMutation({
    mutationFn: (to: string) => sendTestEmail(to, words.testHeader(library), words.testBody),
    onSuccess: (email, to) => announce(said(email, to)),
  });
  if (!may("email.message.post", "email.message.collection.get")) return null;
  return (
    <section className="sheet" aria-label={words.test}>
      <h2>{words.test}</h2>
      <p className="help">{words.testHelp}</p>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          testing.mutate(to);
        }}
      >
        <Field type="email" label={words.testTo} value={to} onChange={setTo} isRequired />
        <Button type="submit" isDisabled={testing.isPending}>
          {words.testSend}
        </Button>
      </Form>
      {testing.isPending && <p className="help">{words.testing}</p>}
      {testing.error && <ErrorMessage error={testing.error} />}
      {testing.isSuccess && (
        <p className={testing.data?.status === "FAILURE" ? "banner bad" : "banner"}>
          {said(testing.data, testing.variables)}
        </p>
      )}
    </section>
  );
}
