/** The field in which the patron is found: by a card, or by name if the card was left at home. */

import { useEffect } from "react";
import { Unreachable } from "../api/http.ts";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { nameOf, Portrait } from "../parts/portrait.tsx";
import { Trouble } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { WorthTrying } from "../shell/demo.tsx";
import { useWords } from "../words/index.tsx";
import { PastVisit } from "./end-of-visit.tsx";
import { inbox, lookAgain, lookup, scanned, welcome } from "./inbox.ts";
import { LeftOver } from "./left-over.tsx";
import { beginUnknown } from "./session.ts";

export function PatronScan() {
  const words = useWords();
  const { now } = lookup.use();
  const behind = inbox.use().filter((entry) => "text" in entry).length - 1;
  const [found, text] = now?.is === "found" ? [now.found, now.text] : [undefined, ""];
  useEffect(() => {
    if (found)
      announce(found.length > 0 ? words.patron.several(found.length, text) : words.patron.unknownBarcode(text));
  }, [found, text, words]);
  return (
    <>
      {now?.is === "failed" && <Trouble error={now.error} retry={lookAgain} />}
      {now?.is === "unreachable" && <NotLookedUp text={now.text} />}
      {behind > 0 && (
        <p className="banner" role="status">
          {words.checkOut.behindCard(behind)}
        </p>
      )}
      {found?.length === 0 && <p className="banner bad">{words.patron.unknownBarcode(text)}</p>}
      {found && found.length > 0 && <Several found={found} text={text} />}
      {now === undefined && <PastVisit />}
      <LeftOver />
      <WorthTrying what="cards" onScan={scanned} />
    </>
  );
}

function NotLookedUp({ text }: { text: string }) {
  const words = useWords();
  return (
    <>
      <Trouble error={new Unreachable()} retry={lookAgain} />
      <Button
        className="start"
        onPress={() => {
          announce(text);
          beginUnknown(text);
        }}
      >
        {words.checkOut.beginUnknown(text)}
      </Button>
    </>
  );
}

function Several({ found, text }: { found: User[]; text: string }) {
  const words = useWords();
  return (
    <>
      <p>{words.patron.several(found.length, text)}</p>
      <ul className="people">
        {found.map((user) => (
          <li key={user.id}>
            <Button className="person" isDisabled={!user.barcode} onPress={() => welcome(user, text)}>
              <Portrait user={user} />
              <span>
                {nameOf(user)}
                <small>{user.barcode ?? words.none}</small>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
