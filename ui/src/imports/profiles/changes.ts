/** The changes of a mapping profile that modifies MARC records, one line each, as the form has them. Pure. */

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
  /** More subfields than the form shows. */
  more: readonly MarcSubfield[];
}

export const BLANK: ChangeLine = {
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

export function linesOf(changes: readonly MarcChange[]): ChangeLine[] {
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

const filled = <T extends Record<string, unknown>>(members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "" && value !== undefined)) as Partial<T>;

export function changesOf(lines: readonly ChangeLine[]): MarcChange[] {
  return lines.map((line, order) => {
    const { action, field, ind1, ind2, subfield, more } = line;
    const own = { subfield, ...subfieldOf(line) };
    const subfields = [...(subfield === "" && action !== "MOVE" ? [] : [own]), ...more];
    return {
      order,
      action,
      field: { field, ...filled({ indicator1: ind1, indicator2: ind2 }), ...(subfields.length > 0 && { subfields }) },
    };
  });
}

function subfieldOf(line: ChangeLine): Partial<MarcSubfield> {
  const { action, subaction, position, text, find, replaceWith, toField, toInd1, toInd2, toSubfield } = line;
  if (action === "ADD") return { data: filled({ text }) as { text?: string } };
  if (action === "EDIT") {
    const does = subaction || "INSERT";
    const data = does === "REPLACE" ? filled({ find, replaceWith }) : filled({ text });
    return { subaction: does, ...(does === "INSERT" && { position: position || "BEFORE_STRING" }), data };
  }
  if (action === "MOVE") {
    const subfields = toSubfield === "" ? {} : { subfields: [{ subfield: toSubfield }] };
    const marcField = { field: toField, ...filled({ indicator1: toInd1, indicator2: toInd2 }), ...subfields };
    return { subaction: subaction || "CREATE_NEW_FIELD", data: { marcField } };
  }
  return {};
}
