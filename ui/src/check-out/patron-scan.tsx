/** Who is it? A card, or a name where the card is at home. */

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Unreachable } from "../api/http.ts";
import { findPatrons } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { nameOf, Portrait } from "../parts/portrait.tsx";
import { Trouble } from "../parts/states.tsx";
import { ScanField } from "../scanning/scan-field.tsx";
import { announce, sound } from "../scanning/signals.tsx";
import { WorthTrying } from "../shell/demo.tsx";
import { useWords } from "../words/index.tsx";
import { PastVisit } from "./end-of-visit.tsx";
import { LeftOver } from "./left-over.tsx";
import { begin, beginUnknown } from "./session.ts";

export function PatronScan() {
  const words = useWords();
  const [text, setText] = useState("");
  const search = useMutation({
    mutationFn: findPatrons,
    onSuccess: (found, scanned) => {
      const [first] = found;
      if (found.length === 1 && first?.barcode) return welcome(first);
      sound(found.length > 0);
      announce(found.length > 0 ? words.patron.several(found.length, scanned) : words.patron.unknownBarcode(scanned));
    },
  });
  const found = search.data;
  const scan = (scanned: string) => {
    setText(scanned);
    search.mutate(scanned);
  };
  return (
    <section className="work alone" aria-label={words.checkOut.scanPatron}>
      <p className="invitation">{words.checkOut.scanPatron}</p>
      <ScanField label={words.patron.barcode} submit={words.checkOut.start} help={words.patron.help} onScan={scan} />
      {search.error && <Trouble error={search.error} retry={() => search.mutate(text)} />}
      {search.error instanceof Unreachable && (
        <Button
          className="start"
          onPress={() => {
            announce(text);
            beginUnknown(text);
          }}
        >
          {words.checkOut.beginUnknown(text)}
        </Button>
      )}
      {found?.length === 0 && <p className="banner bad">{words.patron.unknownBarcode(text)}</p>}
      {found && found.length > 1 && <Several found={found} text={text} />}
      {search.isIdle && <PastVisit />}
      <LeftOver />
      <WorthTrying what="cards" onScan={scan} />
    </section>
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
            <Button className="person" isDisabled={!user.barcode} onPress={() => welcome(user)}>
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

function welcome(patron: User): void {
  sound(true);
  announce(nameOf(patron));
  begin(patron);
}
