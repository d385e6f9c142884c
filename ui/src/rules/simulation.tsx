/** What the rules as they stand in the field would have made of the loans of the last month. */

import { useMutation } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import type { RulesSimulation } from "../api/octavo.ts";
import { Button } from "../parts/button.tsx";
import { Trouble } from "../parts/states.tsx";
import { useWords } from "../words/index.tsx";
import type { Mistake } from "./mistake.ts";

const DAYS = 30;

export function Simulation({ text, mistake }: { text: string; mistake: Mistake | undefined }) {
  const words = useWords();
  const simulating = useMutation({
    mutationFn: () =>
      ask<RulesSimulation>("/octavo/rules/simulate", {
        method: "POST",
        body: { rulesAsText: text, days: DAYS, examples: 0 },
      }),
  });
  const kinds = words.rules.changes as Record<string, string>;
  return (
    <section className="patron" aria-label={words.rules.simulation}>
      <h2>{words.rules.simulation}</h2>
      <p className="help">{words.rules.simulationHelp(DAYS)}</p>
      <Button isDisabled={simulating.isPending || mistake !== undefined} onPress={() => simulating.mutate()}>
        {words.rules.simulate}
      </Button>
      {simulating.error && <Trouble error={simulating.error} />}
      {simulating.data && (
        <div role="status">
          <p>
            <strong>{words.rules.wouldChange(simulating.data.changed, simulating.data.loans)}</strong>
          </p>
          <ul>
            {Object.entries(simulating.data.changes).map(([kind, count]) => (
              <li key={kind}>
                {count} {kinds[kind] ?? kind}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
