/** The self-check machine: set up by staff, then used by patrons, until staff end it with a password. */

import { useEffect } from "react";
import { Link } from "wouter";
import { Button } from "../parts/button.tsx";
import { Mark } from "../parts/mark.tsx";
import { Tick } from "../parts/tick.tsx";
import { Announcements } from "../scanning/signals.tsx";
import { watchScans } from "../scanning/steer.ts";
import { preferences } from "../shell/preferences.ts";
import { useMay, useServicePoint } from "../shell/session.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { useWords } from "../words/index.tsx";
import { Kiosk } from "./kiosk.tsx";
import { machine } from "./machine.ts";
import { useSelfWords } from "./words/index.tsx";
import "./self.css";

export default function SelfCheck() {
  const words = useWords();
  const own = useSelfWords();
  const library = useLibraryName();
  const { on } = machine.use();
  useEffect(() => {
    document.title = words.pageTitle(own.title, library);
  }, [words, own, library]);
  useEffect(watchScans, []);
  return (
    <>
      <Announcements />
      {on ? <Kiosk /> : <SetUp />}
    </>
  );
}

function SetUp() {
  const words = useSelfWords();
  const may = useMay();
  const here = useServicePoint();
  const { asksPin, takesReturns } = machine.use();
  const mayRun = may("users.collection.get", "circulation.check-out-by-barcode.post");
  return (
    <main className="door">
      <div className="card">
        <Mark />
        <h1>{words.title}</h1>
        <p>{here?.name}</p>
        <p className="help">{words.setUp.help}</p>
        <p className="help">{words.setUp.advice}</p>
        {may("patron-pin.validate") ? (
          <Tick value={asksPin} onChange={(asksPin) => machine.set((now) => ({ ...now, asksPin }))}>
            {words.setUp.pin}
          </Tick>
        ) : (
          <p className="help">{words.setUp.noPinRight}</p>
        )}
        {may("circulation.check-in-by-barcode.post") && (
          <Tick value={takesReturns} onChange={(takesReturns) => machine.set((now) => ({ ...now, takesReturns }))}>
            {words.setUp.returns}
          </Tick>
        )}
        {!mayRun && <p className="banner warn">{words.setUp.missing}</p>}
        <Button
          kind="primary"
          isDisabled={!mayRun}
          onPress={() => {
            // What this browser's tab still knows of earlier sessions of the desk goes.
            sessionStorage.clear();
            const { language } = preferences.get();
            machine.set((now) => ({
              ...now,
              on: true,
              language,
              asksPin: now.asksPin && may("patron-pin.validate"),
              takesReturns: now.takesReturns && may("circulation.check-in-by-barcode.post"),
            }));
            // A new page: nothing of the desk stays in memory.
            location.assign("/desk/self");
          }}
        >
          {words.setUp.start}
        </Button>
        <Link href="/">{words.setUp.back}</Link>
      </div>
    </main>
  );
}
