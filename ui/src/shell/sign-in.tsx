/** The door. Whoever runs the demo library is let in with one press. */

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
import { Mark } from "../parts/mark.tsx";
import { inWords, Loading } from "../parts/states.tsx";
import type { Words } from "../words/en.ts";
import { useWords } from "../words/index.tsx";
import { DEMO } from "./demo.tsx";
import { Elsewhere, NotLetIn } from "./elsewhere.tsx";
import { place, session, signIn } from "./session.ts";

export function SignIn() {
  const words = useWords();
  const { data: known = [], isPending } = useQuery(tenants);
  const demo = known.find(({ description }) => description === DEMO.description);
  const entering = useEntering();
  useEffect(() => {
    document.title = words.pageTitle(words.signIn.title, words.desk);
  }, [words]);
  return (
    <main className="door">
      <div className="card">
        <Mark />
        <h1>{known.length === 1 ? known[0]?.name : words.signIn.title}</h1>
        <NotLetIn />
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

/** Over the page on which somebody was at work when their time had run out. */
export function SignInAgain() {
  const words = useWords();
  const entering = useEntering();
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

interface Entry {
  tenant: string;
  username: string;
  password: string;
}

function useEntering() {
  const client = useQueryClient();
  return useMutation({ mutationFn: (entry: Entry) => signIn(client, entry.tenant, entry.username, entry.password) });
}

type Entering = ReturnType<typeof useEntering>;

function SignInForm({ known, entering }: { known: { id: string; name?: string }[]; entering: Entering }) {
  const words = useWords();
  const remembered = place.use().tenant;
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
          {whyNot(entering.error, words)}
        </p>
      )}
      <Button kind="primary" type="submit" isDisabled={entering.isPending}>
        {entering.isPending ? words.signIn.working : words.signIn.submit}
      </Button>
      <Elsewhere tenant={library} inNewTab={now.is === "in"} />
    </Form>
  );
}

function whyNot(error: unknown, words: Words): string {
  // Let in, and then not known: the cookies were not kept.
  if (error instanceof SignedOut) return words.signIn.noCookie;
  const wrong = ["username.incorrect", "password.incorrect", "password.incorrect.block.user"];
  if (error instanceof Refused && error.refusals.some(({ code = "" }) => wrong.includes(code)))
    return words.signIn.wrong;
  if (error instanceof Refused && error.refusals.some(({ code }) => code === "directory.unavailable"))
    return words.signIn.directoryAway;
  return inWords(error, words);
}
