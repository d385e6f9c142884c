/** The self-check machine: staff set it up, patrons use it, and staff end it with a password. */

import { useEffect } from "react";
import { Link } from "wouter";
import { Button } from "../parts/button.tsx";
import { Logo } from "../parts/mark.tsx";
import { CheckboxField } from "../parts/tick.tsx";
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
      {on ? <Kiosk /> : <MachineSetUp />}
    </>
  );
}

function MachineSetUp() {
  const words = useSelfWords();
  const may = useMay();
  const here = useServicePoint();
  const { asksPin, takesReturns } = machine.use();
  const mayRun = may("users.collection.get", "circulation.check-out-by-barcode.post");
  return (
    <main className="door">
      <div className="card">
        <Logo />
        <h1>{words.title}</h1>
        <p>{here?.name}</p>
        <p className="help">{words.setUp.help}</p>
        <p className="help">{words.setUp.advice}</p>
        {may("patron-pin.validate") ? (
          <CheckboxField value={asksPin} onChange={(asksPin) => machine.set((now) => ({ ...now, asksPin }))}>
            {words.setUp.pin}
          </CheckboxField>
        ) : (
          <p className="help">{words.setUp.noPinRight}</p>
        )}
        {may("circulation.check-in-by-barcode.post") && (
          <CheckboxField
            value={takesReturns}
            onChange={(takesReturns) => machine.set((now) => ({ ...now, takesReturns }))}
          >
            {words.setUp.returns}
          </CheckboxField>
        )}
        {!mayRun && <p className="banner warn">{words.setUp.missing}</p>}
        <Button
          kind="primary"
          isDisabled={!mayRun}
          onPress={() => {
            // Deletes what this tab still has of earlier sessions at the desk.
            sessionStorage.clear();
            const { language } = preferences.get();
            machine.set((now) => ({
              ...now,
              on: true,
              language,
              asksPin: now.asksPin && may("patron-pin.validate"),
              takesReturns: now.takesReturns && may("circulation.check-in-by-barcode.post"),
            }));
            // A new page, so that nothing of the desk stays in memory.
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
