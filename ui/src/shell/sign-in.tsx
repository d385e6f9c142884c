/** The sign-in page. In the demo library one button signs in. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Dialog, Heading } from "react-aria-components/Dialog";
import { Form } from "react-aria-components/Form";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Refused, SignedOut } from "../api/http.ts";
import { tenants } from "../api/library.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { Logo } from "../parts/mark.tsx";
import { errorText, Loading } from "../parts/states.tsx";
import type { Words } from "../words/en.ts";
import { useWords } from "../words/index.tsx";
import { DEMO } from "./demo.tsx";
import { SignOnRefusal, SingleSignOnButton } from "./elsewhere.tsx";
import { session, signIn, workplace } from "./session.ts";

export function SignIn() {
  const words = useWords();
  const { data: known = [], isPending } = useQuery(tenants);
  const demo = known.find(({ description }) => description === DEMO.description);
  const entering = useSignIn();
  useEffect(() => {
    document.title = words.pageTitle(words.signIn.title, words.desk);
  }, [words]);
  return (
    <main className="door">
      <div className="card">
        <Logo />
        <h1>{known.length === 1 ? known[0]?.name : words.signIn.title}</h1>
        <SignOnRefusal />
        {/* Until the libraries are known, the form would ask for one, and the browser would refuse to send it without. */}
        {isPending ? <Loading /> : <SignInForm known={known} entering={entering} />}
        {demo && (
          <div className="demo">
            <Button
              isDisabled={entering.isPending}
              onPress={() => entering.mutate({ tenant: demo.id, username: DEMO.username, password: DEMO.password })}
            >
              {words.signIn.demo}
            </Button>
            <p className="help">{words.signIn.demoHelp}</p>
          </div>
        )}
      </div>
    </main>
  );
}

/** Asks for the password again above the page on which somebody was working when their session expired. */
export function SignInAgain() {
  const words = useWords();
  const entering = useSignIn();
  return (
    <ModalOverlay className="veil" isOpen>
      <Modal className="modal">
        <Dialog>
          <Heading slot="title">{words.signIn.title}</Heading>
          <p>{words.signIn.again}</p>
          <SignInForm known={[]} entering={entering} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface Credentials {
  tenant: string;
  username: string;
  password: string;
}

function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (entry: Credentials) => signIn(client, entry.tenant, entry.username, entry.password),
  });
}

type SignInMutation = ReturnType<typeof useSignIn>;

function SignInForm({ known, entering }: { known: { id: string; name?: string }[]; entering: SignInMutation }) {
  const words = useWords();
  const remembered = workplace.use().tenant;
  const now = session.use();
  const [tenant, setTenant] = useState(remembered ?? "");
  const [username, setUsername] = useState(now.is === "in" ? (now.member.user.username ?? "") : "");
  const [password, setPassword] = useState("");
  const only = known.length === 1 ? known[0]?.id : undefined;
  const fixed = now.is === "in" ? remembered : only;
  const library = fixed ?? tenant;
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        entering.mutate({ tenant: library, username, password });
      }}
    >
      {fixed === undefined &&
        (known.length > 1 ? (
          <Choice
            label={words.signIn.library}
            options={known.map(({ id, name = id }) => ({ id, name }))}
            value={tenant || null}
            onChange={setTenant}
          />
        ) : (
          <Field
            label={words.signIn.library}
            help={words.signIn.libraryHelp}
            value={tenant}
            onChange={setTenant}
            autoComplete="organization"
            isRequired
          />
        ))}
      <Field
        label={words.signIn.username}
        value={username}
        onChange={setUsername}
        autoComplete="username"
        autoFocus={username === ""}
        isRequired
      />
      <Field
        label={words.signIn.password}
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus={username !== ""}
        isRequired
      />
      {entering.error && (
        <p className="banner bad" role="alert">
          {signInErrorText(entering.error, words)}
        </p>
      )}
      <Button kind="primary" type="submit" isDisabled={entering.isPending}>
        {entering.isPending ? words.signIn.working : words.signIn.submit}
      </Button>
      <SingleSignOnButton tenant={library} inNewTab={now.is === "in"} />
    </Form>
  );
}

function signInErrorText(error: unknown, words: Words): string {
  // The server accepted the sign-in, but the browser did not keep the cookies.
  if (error instanceof SignedOut) return words.signIn.noCookie;
  const wrong = ["username.incorrect", "password.incorrect", "password.incorrect.block.user"];
  if (error instanceof Refused && error.refusals.some(({ code = "" }) => wrong.includes(code)))
    return words.signIn.wrong;
  if (error instanceof Refused && error.refusals.some(({ code }) => code === "directory.unavailable"))
    return words.signIn.directoryAway;
  return errorText(error, words);
}
