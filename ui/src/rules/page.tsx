/** The circulation rules: written with the mistake shown where it is, tried on a patron and an item, simulated on past loans. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, Refused } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { CirculationRules } from "../api/octavo.ts";
import { Button } from "../parts/button.tsx";
import { Loading, Trouble } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { Editor } from "./editor.tsx";
import { type Mistake, useMistake } from "./mistake.ts";
import { Simulation } from "./simulation.tsx";
import { TryOut } from "./try-out.tsx";

export default function RulesPage() {
  const words = useWords();
  const rules = useQuery({ queryKey: ["rules"], queryFn: () => list("/circulation/rules", {}) });
  return (
    <div className="desk-page rules-page">
      <h1>{words.pages.settings}</h1>
      {rules.isPending && <Loading />}
      {rules.error && <Trouble error={rules.error} retry={() => void rules.refetch()} />}
      {rules.data && <Rules stored={rules.data} />}
    </div>
  );
}

function Rules({ stored }: { stored: CirculationRules }) {
  const words = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [text, setText] = useState(stored.rulesAsText);
  const mistake = useMistake(text);
  const changed = text !== stored.rulesAsText;
  const saving = useMutation({
    mutationFn: () => ask("/circulation/rules", { method: "PUT", body: { id: stored.id, rulesAsText: text } }),
    onSuccess: () => {
      announce(words.rules.saved);
      return client.invalidateQueries({ queryKey: ["rules"] });
    },
  });
  return (
    <>
      <section className="work" aria-label={words.rules.editor}>
        <Editor text={text} onChange={setText} mistake={mistake} readOnly={!may("circulation.rules.put")} />
        {mistake && <MistakeLine mistake={mistake} />}
        {saving.error && !(saving.error instanceof Refused && mistake) && <Trouble error={saving.error} />}
        <div className="session-end">
          <p role="status">
            {changed ? words.rules.changed : saving.isSuccess ? words.rules.saved : words.rules.asStored}
          </p>
          {changed && <Button onPress={() => setText(stored.rulesAsText)}>{words.rules.discard}</Button>}
          {may("circulation.rules.put") && (
            <Button kind="primary" isDisabled={!changed || mistake !== undefined} onPress={() => saving.mutate()}>
              {words.save}
            </Button>
          )}
        </div>
      </section>
      <div className="beside">
        <TryOut unsaved={changed} />
        {may("octavo.circulation.rules.simulate.post") && <Simulation text={text} mistake={mistake} />}
      </div>
    </>
  );
}

function MistakeLine({ mistake }: { mistake: Mistake }) {
  const words = useWords();
  return (
    <p className="banner bad" role="alert" id="mistake">
      {words.rules.mistake(mistake.line, mistake.column)} {mistake.message}
    </p>
  );
}
