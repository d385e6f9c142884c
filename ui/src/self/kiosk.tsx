/** The self-check machine as patrons see it: identification, the visit, and nothing of earlier patrons. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icons.tsx";
import { Logo } from "../parts/mark.tsx";
import { changePreferences, usePreferences } from "../shell/preferences.ts";
import { connection } from "../shell/session.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { LANGUAGES, type Language } from "../words/languages.ts";
import { CardScan } from "./card.tsx";
import { LeaveButton } from "./leave.tsx";
import { machine } from "./machine.ts";
import { ReturnsStage } from "./returns.tsx";
import { TimeOut } from "./time-out.tsx";
import { VisitStage } from "./visit.tsx";
import { useSelfWords } from "./words/index.tsx";

type Stage = { is: "start" } | { is: "returns" } | { is: "visit"; patron: User };

export function Kiosk() {
  const words = useSelfWords();
  const library = useLibraryName();
  const client = useQueryClient();
  const { up } = connection.use();
  const [stage, setStage] = useState<Stage>({ is: "start" });
  // Counts visits, so that the start page is made anew and a patron who was asked for a PIN is forgotten, too.
  const [visits, count] = useState(0);
  const forget = useCallback(() => {
    setStage({ is: "start" });
    count((before) => before + 1);
    changePreferences({ language: machine.get().language });
  }, []);
  // Deletes the patron's data from memory when nothing shows them any more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is forgotten is what the visit before has read
  useEffect(() => {
    client.removeQueries({ queryKey: ["patron"] });
    client.getMutationCache().clear();
  }, [visits, client]);
  return (
    <div className="self">
      <header>
        <Logo />
        <span className="library">{library}</span>
        <LanguageButtons />
        <LeaveButton />
      </header>
      <main>
        {!up && (
          <p className="signal other" role="alert">
            <Icon name="warning" />
            {words.offline}
          </p>
        )}
        {stage.is === "start" && (
          <CardScan
            key={visits}
            onKnown={(patron) => setStage({ is: "visit", patron })}
            onReturns={() => setStage({ is: "returns" })}
          />
        )}
        {stage.is === "returns" && <ReturnsStage onEnd={forget} />}
        {stage.is === "visit" && <VisitStage patron={stage.patron} onEnd={forget} />}
      </main>
      <TimeOut onOver={forget} isIdle={stage.is === "start"} />
    </div>
  );
}

/** A button for each other language, labelled in that language. */
function LanguageButtons() {
  const { language } = usePreferences();
  const others = Object.entries(LANGUAGES).filter(([id]) => id !== language) as [Language, string][];
  return others.map(([id, name]) => (
    <Button key={id} onPress={() => changePreferences({ language: id })}>
      <span lang={id}>{name}</span>
    </Button>
  ));
}
