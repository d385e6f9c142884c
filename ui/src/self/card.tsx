/** Identifies the patron by their card, and by their PIN if the library requires it. */

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { equals } from "../api/cql.ts";
import { ask, Refused } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { patronName } from "../parts/portrait.tsx";
import { ScanField } from "../scanning/scan-field.tsx";
import { playSignal } from "../scanning/signals.tsx";
import { useWords } from "../words/index.tsx";
import { machine } from "./machine.ts";
import { useSelfWords } from "./words/index.tsx";

const MAX_TRIES = 3;

interface Props {
  onKnown: (patron: User) => void;
  onReturns: () => void;
}

export function CardScan({ onKnown, onReturns }: Props) {
  const words = useSelfWords();
  const { asksPin, takesReturns } = machine.use();
  const [patron, setPatron] = useState<User>();
  const finding = useMutation({
    // The card is not kept in memory after the page has gone on.
    gcTime: 0,
    mutationFn: async (card: string) => {
      // Only the whole barcode is compared, since a search by name would show other patrons.
      const [found] = (await list("/users", { query: equals("barcode", card), limit: 1 })).users;
      return found?.barcode === card ? found : null;
    },
    onSuccess: (found) => {
      playSignal(found ? "well" : "badly");
      if (found && asksPin) setPatron(found);
      else if (found) onKnown(found);
    },
    onError: () => playSignal("badly"),
  });
  if (patron) return <PinForm patron={patron} onKnown={onKnown} onGiveUp={() => setPatron(undefined)} />;
  return (
    <section className="stage" aria-label={words.welcome}>
      <h1>{words.welcome}</h1>
      <p className="lead">{words.scanCard}</p>
      <ScanField
        label={words.card}
        submit={words.begin}
        help={words.cardHelp}
        onScan={(card) => finding.mutate(card)}
      />
      {(finding.data === null || finding.error) && (
        <p className="banner bad" role="alert">
          {finding.error ? words.noMoreTries : words.unknownCard}
        </p>
      )}
      {takesReturns && (
        <Button className="big" onPress={onReturns}>
          {words.returnItems}
        </Button>
      )}
    </section>
  );
}

interface PinProps {
  patron: User;
  onKnown: (patron: User) => void;
  onGiveUp: () => void;
}

function PinForm({ patron, onKnown, onGiveUp }: PinProps) {
  const words = useSelfWords();
  const common = useWords();
  const [pin, setPin] = useState("");
  const [failed, setFailed] = useState(0);
  const checking = useMutation({
    gcTime: 0,
    mutationFn: (pin: string) => ask("/patron-pin/verify", { method: "POST", body: { id: patron.id, pin } }),
    onSuccess: () => onKnown(patron),
    onError: (error) => {
      playSignal("badly");
      setPin("");
      // After too many attempts, counted by the server, or an unexpected error, staff have to help.
      const isWrong = error instanceof Refused && error.status === 422;
      setFailed((before) => (isWrong ? before + 1 : MAX_TRIES));
    },
  });
  return (
    <section className="stage" aria-label={words.pin}>
      <h1>{words.pinOf(patronName(patron))}</h1>
      {failed < MAX_TRIES && (
        <Form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            checking.mutate(pin);
          }}
        >
          <Field
            label={words.pin}
            type="password"
            inputMode="numeric"
            value={pin}
            onChange={setPin}
            autoComplete="off"
            autoFocus
            isRequired
          />
          <Button className="big" kind="primary" type="submit" isDisabled={checking.isPending}>
            {words.goOn}
          </Button>
        </Form>
      )}
      {failed > 0 && (
        <p className="banner bad" role="alert">
          {failed < MAX_TRIES ? words.wrongPin : words.noMoreTries}
        </p>
      )}
      <Button className="big" onPress={onGiveUp}>
        {common.cancel}
      </Button>
    </section>
  );
}
