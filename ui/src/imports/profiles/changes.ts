/** Changes of MARC fields in a mapping profile, as lines of the form. Pure. */

import type { MarcChange, MarcSubfield } from "../../api/import-profiles.ts";

export interface ChangeLine {
  action: MarcChange["action"];
  field: string;
  ind1: string;
  ind2: string;
  subfield: string;
  /** Of an edit: INSERT, REMOVE, REPLACE. Of a move: CREATE_NEW_FIELD, ADD_TO_EXISTING_FIELD. */
  subaction: string;
  position: string;
  text: string;
  find: string;
  replaceWith: string;
  toField: string;
  toInd1: string;
  toInd2: string;
  toSubfield: string;
  /** Further subfields of the change, which the form does not show but keeps. */
  more: readonly MarcSubfield[];
}

export const BLANK_LINE: ChangeLine = {
  action: "ADD",
  field: "",
  ind1: "",
  ind2: "",
  subfield: "",
  subaction: "",
  position: "",
  text: "",
  find: "",
  replaceWith: "",
  toField: "",
  toInd1: "",
  toInd2: "",
  toSubfield: "",
  more: [],
};

export function linesFromChanges(changes: readonly MarcChange[]): ChangeLine[] {
  return changes
    .toSorted((one, other) => one.order - other.order)
    .map(({ action, field }) => {
      const [first, ...more] = field.subfields ?? [];
      const to = first?.data?.marcField;
      return {
        action,
        field: field.field,
        ind1: field.indicator1 ?? "",
        ind2: field.indicator2 ?? "",
        subfield: first?.subfield ?? "",
        subaction: first?.subaction ?? "",
        position: first?.position ?? "",
        text: first?.data?.text ?? "",
        find: first?.data?.find ?? "",
        replaceWith: first?.data?.replaceWith ?? "",
        toField: to?.field ?? "",
        toInd1: to?.indicator1 ?? "",
        toInd2: to?.indicator2 ?? "",
        toSubfield: to?.subfields?.[0]?.subfield ?? "",
        more,
      };
    });
}

const withoutEmptyMembers = <T extends Record<string, unknown>>(members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "" && value !== undefined)) as Partial<T>;

export function changesFromLines(lines: readonly ChangeLine[]): MarcChange[] {
  return lines.map((line, order) => {
    const { action, field, ind1, ind2, subfield, more } = line;
    const own = { subfield, ...subfieldOf(line) };
    const subfields = [...(subfield === "" && action !== "MOVE" ? [] : [own]), ...more];
    return {
      order,
      action,
      field: {
        field,
        ...withoutEmptyMembers({ indicator1: ind1, indicator2: ind2 }),
        ...(subfields.length > 0 && { subfields }),
      },
    };
  });
}

function subfieldOf(line: ChangeLine): Partial<MarcSubfield> {
  const { action, subaction, position, text, find, replaceWith, toField, toInd1, toInd2, toSubfield } = line;
  if (action === "ADD") return { data: withoutEmptyMembers({ text }) as { text?: string } };
  if (action === "EDIT") {
    const does = subaction || "INSERT";
    const data = does === "REPLACE" ? withoutEmptyMembers({ find, replaceWith }) : withoutEmptyMembers({ text });
    return { subaction: does, ...(does === "INSERT" && { position: position || "BEFORE_STRING" }), data };
  }
  if (action === "MOVE") {
    const subfields = toSubfield === "" ? {} : { subfields: [{ subfield: toSubfield }] };
    const marcField = {
      field: toField,
      ...withoutEmptyMembers({ indicator1: toInd1, indicator2: toInd2 }),
      ...subfields,
    };
    return { subaction: subaction || "CREATE_NEW_FIELD", data: { marcField } };
  }
  return {};
}
