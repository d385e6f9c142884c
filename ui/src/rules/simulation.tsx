/** What the rules as they stand in the field would have made of the loans of the last days: how many, and by kind. */

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { Trouble } from "../parts/states.tsx";
import { useWords } from "../words/index.tsx";
import type { Mistake } from "./mistake.ts";
import { type Tried, tryOnLoans } from "./tried.ts";
import { useRulesWords } from "./words/index.tsx";

const USUAL_DAYS = 30;
/** The server looks back no further. */
const MOST_DAYS = 366;

interface Props {
  text: string;
  mistake: Mistake | undefined;
  tried: Tried | undefined;
  onTried: (tried: Tried | undefined) => void;
}

export function Simulation({ text, mistake, tried, onTried }: Props) {
  const words = useWords();
  const own = useRulesWords().tried;
  const [typed, setDays] = useState(String(USUAL_DAYS));
  const days = Math.min(MOST_DAYS, Math.max(1, Math.trunc(Number(typed)) || USUAL_DAYS));
  const simulating = useMutation({ mutationFn: () => tryOnLoans(text, days), onSuccess: onTried });
  const kinds = words.rules.changes as Record<string, string>;
  return (
    <section className="patron" aria-label={words.rules.simulation}>
      <h2>{words.rules.simulation}</h2>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!simulating.isPending) simulating.mutate();
        }}
      >
        <p className="help">{words.rules.simulationHelp(days)}</p>
        <Field label={own.days} help={own.daysHelp} value={typed} onChange={setDays} />
        <Button type="submit" isDisabled={mistake !== undefined}>
          {words.rules.simulate}
        </Button>
      </Form>
      {simulating.error && <Trouble error={simulating.error} />}
      {tried && (
        <div role="status">
          <p>
            <strong>{words.rules.wouldChange(tried.changed, tried.loans)}</strong>
          </p>
          <ul>
            {Object.entries(tried.changes).map(([kind, count]) => (
              <li key={kind}>
                {count} {kinds[kind] ?? kind}
              </li>
            ))}
          </ul>
          {tried.text !== text && <p className="banner warn">{own.stale}</p>}
        </div>
      )}
    </section>
  );
}
