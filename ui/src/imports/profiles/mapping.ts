/** Converts the fields of a mapping profile between FOLIO's record and the form. Pure. */

import type { MappingField } from "../../api/import-profiles.ts";
import type { MapSection, MapSpec, ValueSource } from "./fields.ts";

export const FLAG_ACTIONS = ["IGNORE", "ALL_TRUE", "ALL_FALSE", "AS_IS"] as const;
export const REPEATABLE_ACTIONS = [
  "EXTEND_EXISTING",
  "EXCHANGE_EXISTING",
  "DELETE_EXISTING",
  "DELETE_INCOMING",
] as const;

/** A line of a repeatable field: what stands in each of its parts, by their names. */
export type MapLine = Record<string, string>;

export interface MapList {
  action: string;
  lines: MapLine[];
}

/** The values of the form by field: expressions, choices of yes/no fields, and lists. */
export interface MapDraft {
  texts: Record<string, string>;
  flags: Record<string, string>;
  lists: Record<string, MapList>;
}

const withoutBrackets = (path = "") => path.replaceAll("[]", "");

/** Finds a stored field by its name or, as names vary, by its path. */
function findStoredField(
  fields: readonly MappingField[],
  spec: { at: string },
  root: string,
): MappingField | undefined {
  return (
    fields.find(({ name }) => name === spec.at) ??
    fields.find(({ path }) => withoutBrackets(path) === `${root}.${withoutBrackets(spec.at)}`)
  );
}

const allSpecs = (sections: readonly MapSection[]) => sections.flatMap(({ fields }) => fields);

export function draftFromFields(
  fields: readonly MappingField[],
  { root, sections }: { root: string; sections: readonly MapSection[] },
): MapDraft {
  const draft: MapDraft = { texts: {}, flags: {}, lists: {} };
  for (const spec of allSpecs(sections)) {
    const field = findStoredField(fields, spec, root);
    if (field === undefined || field.enabled === "false") continue;
    if (spec.is === "flag") draft.flags[spec.at] = field.booleanFieldAction ?? "IGNORE";
    else if (spec.is !== "list") draft.texts[spec.at] = field.value ?? "";
    else draft.lists[spec.at] = listFromField(field, spec);
  }
  return draft;
}

function listFromField(field: MappingField, spec: MapSpec & { is: "list" }): MapList {
  const groups = (field.subfields ?? []).toSorted((one, other) => one.order - other.order);
  const lines = groups.map(({ fields }) =>
    Object.fromEntries(
      spec.parts.map((part, index) => {
        const one = fields.find(
          ({ name, path }) =>
            name === part.at || withoutBrackets(path).endsWith(`.${part.at}`) || (spec.areTexts && index === 0),
        );
        return [part.at, (part.is === "flag" ? one?.booleanFieldAction : one?.value) ?? ""];
      }),
    ),
  );
  return { action: field.repeatableFieldAction ?? "", lines: lines.filter(isFilled) };
}

const isFilled = (line: MapLine) => Object.values(line).some((value) => value !== "" && value !== "IGNORE");

/** For reference data that expressions may name: the names by id. */
export type AcceptedValues = (from: ValueSource) => Record<string, string> | undefined;

/** The fields to store. Stored fields that the form does not show are kept. */
export function fieldsFromDraft(
  draft: MapDraft,
  before: readonly MappingField[],
  { root, sections }: { root: string; sections: readonly MapSection[] },
  accepted: AcceptedValues,
): MappingField[] {
  const specs = allSpecs(sections);
  const shown = specs.map((spec) => findStoredField(before, spec, root));
  const others = before.filter((field) => !shown.includes(field));
  return [...specs.map((spec) => fieldFromDraft(draft, spec, root, accepted)), ...others];
}

const acceptedValuesFor = (from: ValueSource | undefined, accepted: AcceptedValues) => {
  const values = from && accepted(from);
  return values && { acceptedValues: values };
};

function fieldFromDraft(draft: MapDraft, spec: MapSpec, root: string, accepted: AcceptedValues): MappingField {
  const path = `${root}.${spec.at}`;
  const field = { name: spec.at, enabled: "true", path, value: "", subfields: [] };
  if (spec.is === "flag") {
    const action = draft.flags[spec.at] ?? "IGNORE";
    return action === "IGNORE" ? field : { ...field, booleanFieldAction: action };
  }
  if (spec.is !== "list") {
    return { ...field, value: (draft.texts[spec.at] ?? "").trim(), ...acceptedValuesFor(spec.from, accepted) };
  }
  const { action = "", lines = [] } = draft.lists[spec.at] ?? {};
  const filled = action === "DELETE_EXISTING" ? [] : lines.filter(isFilled);
  const subfields = filled.map((line, order) => ({
    order,
    path: `${path}[]`,
    fields: spec.parts.map((part): MappingField => {
      const one = {
        name: part.at,
        enabled: "true",
        path: spec.areTexts ? `${path}[]` : `${path}[].${part.at}`,
        value: "",
        ...(part.required && { required: true }),
      };
      const said = line[part.at] ?? "";
      if (part.is === "flag") return said && said !== "IGNORE" ? { ...one, booleanFieldAction: said } : one;
      return { ...one, value: said.trim(), ...acceptedValuesFor(part.from, accepted) };
    }),
  }));
  // The server refuses a list action without entries, except DELETE_EXISTING.
  const acts = subfields.length > 0 ? action || "EXTEND_EXISTING" : action === "DELETE_EXISTING" ? action : "";
  return { ...field, path: `${path}[]`, subfields, ...(acts && { repeatableFieldAction: acts }) };
}
