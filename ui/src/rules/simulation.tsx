/**
 * Simulation: what the rules in the editor would have decided for the loans of the last days, counted by kind of
 * change.
 */

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { useWords } from "../words/index.tsx";
import type { Mistake } from "./mistake.ts";
import { type SimulationResult, simulateOnLoans } from "./tried.ts";
import { useRulesWords } from "./words/index.tsx";

const DEFAULT_DAYS = 30;
/** The most days that the server looks back. */
const MAX_DAYS = 366;

interface Props {
  text: string;
  mistake: Mistake | undefined;
  result: SimulationResult | undefined;
  onResult: (tried: SimulationResult | undefined) => void;
}

export function Simulation({ text, mistake, result, onResult }: Props) {
  const words = useWords();
  const own = useRulesWords().tried;
  const [typed, setDays] = useState(String(DEFAULT_DAYS));
  const days = Math.min(MAX_DAYS, Math.max(1, Math.trunc(Number(typed)) || DEFAULT_DAYS));
  const simulating = useMutation({ mutationFn: () => simulateOnLoans(text, days), onSuccess: onResult });
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
      {simulating.error && <ErrorMessage error={simulating.error} />}
      {result && (
        <div role="status">
          <p>
            <strong>{words.rules.wouldChange(result.changed, result.loans)}</strong>
          </p>
          <ul>
            {Object.entries(result.changes).map(([kind, count]) => (
              <li key={kind}>
                {count} {kinds[kind] ?? kind}
              </li>
            ))}
          </ul>
          {result.rulesText !== text && <p className="banner warn">{own.stale}</p>}
        </div>
      )}
    </section>
  );
}
