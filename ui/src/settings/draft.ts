/** A record while it is written: read and changed by the path of a field, and brought into the form that the server takes. */

import type { Spec, Stored } from "./kind.ts";
import { usualUnit } from "./kinds/units.ts";

export function at(record: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((place, member) => (place as Stored | undefined)?.[member], record);
}

/** A copy in which the path says this; `undefined` takes the member away. */
export function put(record: Stored, path: string, value: unknown): Stored {
  const [member = "", ...rest] = path.split(".");
  const { [member]: before, ...others } = record;
  const after = rest.length === 0 ? value : pruned(put((before ?? {}) as Stored, rest.join("."), value));
  return after === undefined ? others : { ...others, [member]: after };
}

/** An object in which nothing is left says nothing. */
function pruned(value: Stored): Stored | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

export const showing = (specs: readonly Spec[], record: Stored) =>
  specs.filter((spec) => spec.shows === undefined || spec.shows(record));

/** What is sent: what does not apply is left out, numbers are numbers, what was left empty is not there. */
export function finished(draft: Stored, specs: readonly Spec[]): Stored {
  const shown = showing(specs, draft);
  const kept = new Set(shown.map((spec) => spec.at));
  const { metadata: _, ...rest } = draft;
  let record: Stored = rest;
  for (const spec of specs) if (!kept.has(spec.at)) record = put(record, spec.at, undefined);
  for (const spec of shown) record = put(record, spec.at, value(spec, at(draft, spec.at)));
  return record;
}

function value(spec: Spec, said: unknown): unknown {
  switch (spec.is) {
    case "yes":
      return said === true;
    case "number":
    case "money":
      return numeric(said);
    case "period": {
      const { duration, intervalId } = (said ?? {}) as Stored;
      return numeric(duration) === undefined
        ? undefined
        : { duration: numeric(duration), intervalId: intervalId ?? usualUnit(spec.units) };
    }
    case "rate": {
      const { quantity, intervalId } = (said ?? {}) as Stored;
      return numeric(quantity) === undefined
        ? undefined
        : { quantity: numeric(quantity), intervalId: intervalId ?? usualUnit(spec.units) };
    }
    case "list":
      return (said as Stored[] | undefined)?.map((row) => finished(row, spec.fields));
    case "text":
      return typeof said === "string" && said.trim() === "" ? undefined : said;
    default:
      return said === "" ? undefined : said;
  }
}

function numeric(said: unknown): number | undefined {
  if (said === undefined || said === null || String(said).trim() === "") return undefined;
  // A comma is a decimal point to half of the world.
  const number = Number(String(said).replace(",", "."));
  return Number.isNaN(number) ? undefined : number;
}
