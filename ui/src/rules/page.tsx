/** The page of the circulation rules: an editor, a try-out for a patron and an item, and a simulation on past loans. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Refused } from "../api/http.ts";
import type { CirculationRules } from "../api/octavo.ts";
import { rulesText } from "../api/settings.ts";
import { Button } from "../parts/button.tsx";
import { ChangedMeanwhile } from "../parts/draft.ts";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { UnsavedChangesPrompt } from "../parts/unsaved.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { RulesEditor } from "./editor.tsx";
import { type Mistake, useMistake } from "./mistake.ts";
import { columnWithNames, type NamedRecord, unknownNames, withIds, withNames } from "./named.ts";
import { useNamedRecords } from "./names.ts";
import { saveRules } from "./saving.ts";
import { Simulation } from "./simulation.tsx";
import type { SimulationResult } from "./tried.ts";
import { ChangedLoanTable } from "./tried-loans.tsx";
import { TryOut } from "./try-out.tsx";
import { useRulesWords } from "./words/index.tsx";

export default function RulesPage() {
  const words = useWords();
  const rules = useQuery(rulesText);
  const things = useNamedRecords();
  return (
    <div className="desk-page rules-page">
      <h1>{words.pages.settings}</h1>
      {(rules.isPending || things === undefined) && <Loading />}
      {rules.error && <ErrorMessage error={rules.error} retry={() => void rules.refetch()} />}
      {rules.data && things && <Rules stored={rules.data} things={things} />}
    </div>
  );
}

function Rules({ stored, things }: { stored: CirculationRules; things: readonly NamedRecord[] }) {
  const words = useWords();
  const own = useRulesWords();
  const may = useMay();
  const client = useQueryClient();
  /** The stored text that the text in the editor was made from. */
  const [base, setBase] = useState(stored.rulesAsText);
  const [shown, show] = useState(() => withNames(stored.rulesAsText, things));
  const text = withIds(shown, things);
  const unknown = unknownNames(shown, things);
  const mistake = useMistake(text);
  const [tried, setTried] = useState<SimulationResult>();
  const changed = text !== withIds(withNames(base, things), things);
  const showStored = () => {
    setBase(stored.rulesAsText);
    show(withNames(stored.rulesAsText, things));
  };
  // While nothing was typed, the editor follows the changes of others. What was typed stays.
  const [seen, setSeen] = useState(stored.rulesAsText);
  if (seen !== stored.rulesAsText) {
    setSeen(stored.rulesAsText);
    if (!changed) showStored();
  }
  const saving = useMutation({
    mutationFn: () => saveRules(base, text),
    onSuccess: (saved) => {
      announce(words.rules.saved);
      setBase(saved.rulesAsText);
      client.setQueryData(rulesText.queryKey, saved);
      return client.invalidateQueries({ queryKey: rulesText.queryKey });
    },
    onError: (error) => {
      if (error instanceof ChangedMeanwhile) void client.invalidateQueries({ queryKey: rulesText.queryKey });
    },
  });
  return (
    <>
      <section className="work" aria-label={words.rules.editor}>
        <RulesEditor
          text={shown}
          things={things}
          onChange={show}
          mistake={mistake}
          readOnly={!may("circulation.rules.put")}
        />
        {unknown.length > 0 ? (
          <p className="banner bad" role="alert">
            {own.unknown(unknown)}
          </p>
        ) : (
          mistake && <MistakeLine mistake={withColumn(mistake, text, things)} />
        )}
        {saving.error instanceof ChangedMeanwhile ? (
          <p className="banner bad" role="alert">
            {own.changedMeanwhile}
          </p>
        ) : (
          saving.error && !(saving.error instanceof Refused && mistake) && <ErrorMessage error={saving.error} />
        )}
        <div className="session-end">
          <p role="status">
            {changed ? words.rules.changed : saving.isSuccess ? words.rules.saved : words.rules.asStored}
          </p>
          {changed && (
            <Button
              onPress={() => {
                saving.reset();
                showStored();
              }}
            >
              {words.rules.discard}
            </Button>
          )}
          {may("circulation.rules.put") && (
            <Button
              kind="primary"
              isDisabled={!changed || unknown.length > 0 || mistake !== undefined}
              onPress={() => saving.mutate()}
            >
              {words.save}
            </Button>
          )}
        </div>
      </section>
      <div className="beside">
        <TryOut unsaved={changed} />
        {may("octavo.circulation.rules.simulate.post") && (
          <Simulation text={text} mistake={mistake} result={tried} onResult={setTried} />
        )}
      </div>
      {tried && <ChangedLoanTable tried={tried} things={things} />}
      <UnsavedChangesPrompt isUnsaved={changed && may("circulation.rules.put")} />
    </>
  );
}

/** The server counts columns in the text with ids; the editor shows names. */
function withColumn(mistake: Mistake, text: string, things: readonly NamedRecord[]): Mistake {
  const line = text.split("\n")[mistake.line - 1] ?? "";
  return { ...mistake, column: columnWithNames(line, mistake.column, things) };
}

function MistakeLine({ mistake }: { mistake: Mistake }) {
  const words = useWords();
  return (
    <p className="banner bad" role="alert" id="mistake">
      {words.rules.mistake(mistake.line, mistake.column)} {mistake.message}
    </p>
  );
}
