/** Makes a new record as a copy of another one, without the members that only one record may have. */

import { valueAt, withValue } from "../../settings/draft.ts";
import type { FieldSpec, FormSection, RecordJson } from "./spec.ts";

/** `without` has the paths of members that are not copied. */
export function copyRecord(
  record: RecordJson,
  sections: readonly FormSection[],
  without: readonly string[],
): RecordJson {
  const specs = sections.flatMap(({ fields }) => fields).filter(({ at }) => !without.includes(at));
  return specs.reduce<RecordJson>((copy, spec) => {
    const said = valueAt(record, spec.at);
    return said === undefined ? copy : withValue(copy, spec.at, copyValue(spec, said));
  }, {});
}

/** The ids of lines are not copied; of a chosen object, such as a location, only the id is copied. */
function copyValue(spec: FieldSpec, said: unknown): unknown {
  if (spec.is === "choice" && spec.isObject) return { id: (said as { id?: string }).id };
  if (spec.is !== "list" || !Array.isArray(said)) return said;
  const members = spec.parts.map(({ at }) => at);
  return (said as RecordJson[]).map((line) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => members.includes(name))),
  );
}
