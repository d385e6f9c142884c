/** The fields of a mapping profile between FOLIO's form and the desk's. Pure. */

import type { MappingField } from "../../api/import-profiles.ts";
import type { MapSection, MapSpec, Source } from "./fields.ts";

export const FLAGS = ["IGNORE", "ALL_TRUE", "ALL_FALSE", "AS_IS"] as const;
export const REPEATS = ["EXTEND_EXISTING", "EXCHANGE_EXISTING", "DELETE_EXISTING", "DELETE_INCOMING"] as const;

/** A line of a repeatable field: what stands in each of its parts, by their names. */
export type MapLine = Record<string, string>;

export interface MapList {
  action: string;
  lines: MapLine[];
}

/** What the form shows, by the places of its fields: an expression, what becomes of a flag, or lines. */
export interface MapDraft {
  texts: Record<string, string>;
  flags: Record<string, string>;
  lists: Record<string, MapList>;
}

const bare = (path = "") => path.replaceAll("[]", "");

/** Stored fields are known by their names, or by their paths where a name has been another. */
function stored(fields: readonly MappingField[], spec: { at: string }, root: string): MappingField | undefined {
  return (
    fields.find(({ name }) => name === spec.at) ?? fields.find(({ path }) => bare(path) === `${root}.${bare(spec.at)}`)
  );
}

const specsOf = (sections: readonly MapSection[]) => sections.flatMap(({ fields }) => fields);

export function draftOf(
  fields: readonly MappingField[],
  { root, sections }: { root: string; sections: readonly MapSection[] },
): MapDraft {
  const draft: MapDraft = { texts: {}, flags: {}, lists: {} };
  for (const spec of specsOf(sections)) {
    const field = stored(fields, spec, root);
    if (field === undefined || field.enabled === "false") continue;
    if (spec.is === "flag") draft.flags[spec.at] = field.booleanFieldAction ?? "IGNORE";
    else if (spec.is !== "list") draft.texts[spec.at] = field.value ?? "";
    else draft.lists[spec.at] = listOf(field, spec);
  }
  return draft;
}

function listOf(field: MappingField, spec: MapSpec & { is: "list" }): MapList {
  const groups = (field.subfields ?? []).toSorted((one, other) => one.order - other.order);
  const lines = groups.map(({ fields }) =>
    Object.fromEntries(
      spec.parts.map((part, index) => {
        const one = fields.find(
          ({ name, path }) => name === part.at || bare(path).endsWith(`.${part.at}`) || (spec.areTexts && index === 0),
        );
        return [part.at, (part.is === "flag" ? one?.booleanFieldAction : one?.value) ?? ""];
      }),
    ),
  );
  return { action: field.repeatableFieldAction ?? "", lines: lines.filter(isFilled) };
}

const isFilled = (line: MapLine) => Object.values(line).some((value) => value !== "" && value !== "IGNORE");

/** For each list that expressions may name, the ids with what each is called. */
export type Accepted = (from: Source) => Record<string, string> | undefined;

/** The fields as they are stored. What the form does not show stays as it was. */
export function fieldsOf(
  draft: MapDraft,
  before: readonly MappingField[],
  { root, sections }: { root: string; sections: readonly MapSection[] },
  accepted: Accepted,
): MappingField[] {
  const specs = specsOf(sections);
  const shown = specs.map((spec) => stored(before, spec, root));
  const others = before.filter((field) => !shown.includes(field));
  return [...specs.map((spec) => fieldOf(draft, spec, root, accepted)), ...others];
}

const valued = (from: Source | undefined, accepted: Accepted) => {
  const values = from && accepted(from);
  return values && { acceptedValues: values };
};

function fieldOf(draft: MapDraft, spec: MapSpec, root: string, accepted: Accepted): MappingField {
  const path = `${root}.${spec.at}`;
  const field = { name: spec.at, enabled: "true", path, value: "", subfields: [] };
  if (spec.is === "flag") {
    const action = draft.flags[spec.at] ?? "IGNORE";
    return action === "IGNORE" ? field : { ...field, booleanFieldAction: action };
  }
  if (spec.is !== "list") {
    return { ...field, value: (draft.texts[spec.at] ?? "").trim(), ...valued(spec.from, accepted) };
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
      return { ...one, value: said.trim(), ...valued(part.from, accepted) };
    }),
  }));
  // The server refuses an action without lines, but for the one that needs none.
  const acts = subfields.length > 0 ? action || "EXTEND_EXISTING" : action === "DELETE_EXISTING" ? action : "";
  return { ...field, path: `${path}[]`, subfields, ...(acts && { repeatableFieldAction: acts }) };
}
