/** Finds the patron by their card, or by name if they have no card with them. */

import { useEffect } from "react";
import { Unreachable } from "../api/http.ts";
import type { FoundPatrons } from "../api/patrons.ts";
import { Button } from "../parts/button.tsx";
import { Portrait, patronName } from "../parts/portrait.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { DemoBarcodes } from "../shell/demo.tsx";
import { useWords } from "../words/index.tsx";
import { PastVisit } from "./end-of-visit.tsx";
import { addScan, cardLookup, inbox, retryLookup, welcomePatron } from "./inbox.ts";
import { ScansOfPastVisits } from "./left-over.tsx";
import { startUnknownVisit } from "./session.ts";

export function PatronScan() {
  const words = useWords();
  const { now } = cardLookup.use();
  const behind = inbox.use().filter((entry) => "text" in entry).length - 1;
  const [found, text] = now?.is === "found" ? [now.found, now.text] : [undefined, ""];
  useEffect(() => {
    if (found) announce(found.total > 0 ? words.patron.several(found.total, text) : words.patron.unknownBarcode(text));
  }, [found, text, words]);
  return (
    <>
      {now?.is === "failed" && <ErrorMessage error={now.error} retry={retryLookup} />}
      {now?.is === "unreachable" && <LookupFailed text={now.text} />}
      {behind > 0 && (
        <p className="banner" role="status">
          {words.checkOut.behindCard(behind)}
        </p>
      )}
      {found?.total === 0 && <p className="banner bad">{words.patron.unknownBarcode(text)}</p>}
      {found && found.total > 0 && <SeveralPatrons found={found} text={text} />}
      {now === undefined && <PastVisit />}
      <ScansOfPastVisits />
      <DemoBarcodes what="cards" onScan={addScan} />
    </>
  );
}

function LookupFailed({ text }: { text: string }) {
  const words = useWords();
  return (
    <>
      <ErrorMessage error={new Unreachable()} retry={retryLookup} />
      <Button
        className="start"
        onPress={() => {
          announce(text);
          startUnknownVisit(text);
        }}
      >
        {words.checkOut.beginUnknown(text)}
      </Button>
    </>
  );
}

function SeveralPatrons({ found: { users, total }, text }: { found: FoundPatrons; text: string }) {
  const words = useWords();
  return (
    <>
      <p>{words.patron.several(total, text)}</p>
      <ul className="people">
        {users.map((user) => (
          <li key={user.id}>
            <Button className="person" isDisabled={!user.barcode} onPress={() => welcomePatron(user, text)}>
              <Portrait user={user} />
              <span>
                {patronName(user)}
                <small>{user.barcode ?? words.none}</small>
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {users.length < total && <p className="help">{words.patron.firstOnly(users.length, total)}</p>}
    </>
  );
}
