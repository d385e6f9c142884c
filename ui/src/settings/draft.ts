/** A record while it is edited: reading and changing members by path, and making the record to send. */

import { toCanonicalJson } from "../parts/canonical.ts";
import type { SettingRecord, Spec } from "./kind.ts";
import { defaultUnit } from "./kinds/units.ts";

export function valueAt(record: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((place, member) => (place as SettingRecord | undefined)?.[member], record);
}

/** A copy of the record with another value at the path; `undefined` removes the member. */
export function withValue(record: SettingRecord, path: string, value: unknown): SettingRecord {
  const [member = "", ...rest] = path.split(".");
  const { [member]: before, ...others } = record;
  const after =
    rest.length === 0 ? value : undefinedIfEmpty(withValue((before ?? {}) as SettingRecord, rest.join("."), value));
  return after === undefined ? others : { ...others, [member]: after };
}

/** undefined instead of an object without members. */
function undefinedIfEmpty(value: SettingRecord): SettingRecord | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

export const visibleSpecs = (specs: readonly Spec[], record: SettingRecord) =>
  specs.filter((spec) => spec.shows === undefined || spec.shows(record));

/** The record to send: without fields that do not apply and empty values, and with numbers as numbers. */
export function recordToSend(draft: SettingRecord, specs: readonly Spec[]): SettingRecord {
  const shown = visibleSpecs(specs, draft);
  const kept = new Set(shown.map((spec) => spec.at));
  const { metadata: _, ...rest } = draft;
  let record: SettingRecord = rest;
  for (const spec of specs) if (!kept.has(spec.at)) record = withValue(record, spec.at, undefined);
  for (const spec of shown) record = withValue(record, spec.at, valueToSend(spec, valueAt(draft, spec.at)));
  return record;
}

/** Whether saving the draft would store something else than the record from which it was made. */
export function hasChanges(draft: SettingRecord, from: SettingRecord, specs: readonly Spec[]): boolean {
  return toCanonicalJson(recordToSend(draft, specs)) !== toCanonicalJson(recordToSend(from, specs));
}

function valueToSend(spec: Spec, said: unknown): unknown {
  switch (spec.is) {
    case "yes":
      return said === true;
    case "number":
    case "money":
      return toNumber(said);
    case "period": {
      const { duration, intervalId } = (said ?? {}) as SettingRecord;
      return toNumber(duration) === undefined
        ? undefined
        : { duration: toNumber(duration), intervalId: intervalId ?? defaultUnit(spec.units) };
    }
    case "rate": {
      const { quantity, intervalId } = (said ?? {}) as SettingRecord;
      return toNumber(quantity) === undefined
        ? undefined
        : { quantity: toNumber(quantity), intervalId: intervalId ?? defaultUnit(spec.units) };
    }
    case "list":
      return Array.isArray(said) ? said.map((row: SettingRecord) => recordToSend(row, spec.fields)) : undefined;
    case "text":
      return typeof said === "string" && said.trim() === "" ? undefined : said;
    default:
      return said === "" ? undefined : said;
  }
}

function toNumber(said: unknown): number | undefined {
  if (said === undefined || said === null || String(said).trim() === "") return undefined;
  // A comma is accepted as decimal point.
  const number = Number(String(said).replace(",", "."));
  return Number.isNaN(number) ? undefined : number;
}
