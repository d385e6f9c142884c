/** What patrons see: who is there, what they may do, and nothing of anybody when they have gone. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icons.tsx";
import { Mark } from "../parts/mark.tsx";
import { prefer, usePreferences } from "../shell/preferences.ts";
import { connection } from "../shell/session.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { LANGUAGES, type Language } from "../words/languages.ts";
import { CardScan } from "./card.tsx";
import { Leave } from "./leave.tsx";
import { machine } from "./machine.ts";
import { Returns } from "./returns.tsx";
import { TimeOut } from "./time-out.tsx";
import { Visit } from "./visit.tsx";
import { useSelfWords } from "./words/index.tsx";

type Stage = { is: "start" } | { is: "returns" } | { is: "visit"; patron: User };

export function Kiosk() {
  const words = useSelfWords();
  const library = useLibraryName();
  const client = useQueryClient();
  const { up } = connection.use();
  const [stage, setStage] = useState<Stage>({ is: "start" });
  // Counted, so that the start begins anew as well: a name that is asked for its PIN is forgotten, too.
  const [visits, count] = useState(0);
  const forget = useCallback(() => {
    setStage({ is: "start" });
    count((before) => before + 1);
    prefer({ language: machine.get().language });
  }, []);
  // Once nothing shows them any more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is forgotten is what the visit before has read
  useEffect(() => {
    client.removeQueries({ queryKey: ["patron"] });
    client.getMutationCache().clear();
  }, [visits, client]);
  return (
    <div className="self">
      <header>
        <Mark />
        <span className="library">{library}</span>
        <LanguageButtons />
        <Leave />
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
        {stage.is === "returns" && <Returns onEnd={forget} />}
        {stage.is === "visit" && <Visit patron={stage.patron} onEnd={forget} />}
      </main>
      <TimeOut onOver={forget} isIdle={stage.is === "start"} />
    </div>
  );
}

/** Each other language a press away, in its own name. */
function LanguageButtons() {
  const { language } = usePreferences();
  const others = Object.entries(LANGUAGES).filter(([id]) => id !== language) as [Language, string][];
  return others.map(([id, name]) => (
    <Button key={id} onPress={() => prefer({ language: id })}>
      <span lang={id}>{name}</span>
    </Button>
  ));
}
