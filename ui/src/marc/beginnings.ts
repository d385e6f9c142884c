/** New MARC records: blank ones, and copies of another record. */

import { initialItems, type Specification } from "./fixed.ts";
import { BLANK, type Draft, draftOf, type Format, lockOf, type QuickMarc, type QuickMarcField } from "./record.ts";

const LEADERS: Record<Format, string> = {
  BIBLIOGRAPHIC: "00000nam\\a2200000\\i\\4500",
  HOLDINGS: "00000nu\\\\a2200000un\\4500",
  AUTHORITY: "00000nz\\\\a2200000n\\\\4500",
};

const field = (tag: string, ind1: string, ind2: string, content: string): QuickMarcField => ({
  tag,
  indicators: [ind1, ind2],
  content,
});

interface NewRecordContext {
  specification: Specification | undefined;
  today: Date;
}

export function blankDraft(
  format: Format,
  { specification, today }: NewRecordContext,
  fields: readonly QuickMarcField[],
): Draft {
  const leader = LEADERS[format];
  const control = { tag: "008", content: initialItems("008", leader, specification, today) };
  const all = [...fields, control].sort((one, other) => Number(one.tag) - Number(other.tag));
  return draftOf({ marcFormat: format, leader, fields: all });
}

export const newTitle = (known: NewRecordContext) =>
  blankDraft("BIBLIOGRAPHIC", known, [field("245", "0", "0", "$a ")]);

/** `hrid`: the HRID of the title to which the holdings belong. */
export const newHoldings = (known: NewRecordContext, hrid: string) =>
  blankDraft("HOLDINGS", known, [{ tag: "004", content: hrid }, field("852", BLANK, BLANK, "$b ")]);

export const newAuthority = (known: NewRecordContext) =>
  blankDraft("AUTHORITY", known, [{ tag: "001", content: "" }, field("100", "1", BLANK, "$a ")]);

/** Fields that identify the copied record, in this catalogue and in others. */
const RECORD_SPECIFIC_TAGS = ["001", "003", "005", "010", "019", "035", "999"];

export function derivedDraft(from: QuickMarc): Draft {
  const draft = draftOf(from);
  const rows = draft.rows
    .filter(
      (row) => !RECORD_SPECIFIC_TAGS.includes(row.tag) || (row.tag === "999" && !lockOf(row, from.marcFormat, false)),
    )
    .map(({ isProtected: _, ...row }) => row);
  return { ...draft, leader: `${draft.leader.slice(0, 5)}n${draft.leader.slice(6)}`, rows };
}
