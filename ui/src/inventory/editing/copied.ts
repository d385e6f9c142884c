/** A new record that begins like another one: what its form shows, without what only one record can have. */

import { at, put } from "../../settings/draft.ts";
import type { Section, Spec, Stored } from "./spec.ts";

/** `without` names members that the other record keeps for itself. */
export function copied(record: Stored, sections: readonly Section[], without: readonly string[]): Stored {
  const specs = sections.flatMap(({ fields }) => fields).filter(({ at }) => !without.includes(at));
  return specs.reduce<Stored>((copy, spec) => {
    const said = at(record, spec.at);
    return said === undefined ? copy : put(copy, spec.at, taken(spec, said));
  }, {});
}

/** Lines have ids of their own, which the copy does not share; what is chosen may come with its name. */
function taken(spec: Spec, said: unknown): unknown {
  if (spec.is === "choice" && spec.isObject) return { id: (said as { id?: string }).id };
  if (spec.is !== "list" || !Array.isArray(said)) return said;
  const members = spec.parts.map(({ at }) => at);
  return (said as Stored[]).map((line) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => members.includes(name))),
  );
}
