/** Records that are not stored yet: blank ones, and those like another. */

import { fresh, type Specification } from "./fixed.ts";
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

interface Known {
  specification: Specification | undefined;
  today: Date;
}

export function blank(format: Format, { specification, today }: Known, fields: readonly QuickMarcField[]): Draft {
  const leader = LEADERS[format];
  const control = { tag: "008", content: fresh("008", leader, specification, today) };
  const all = [...fields, control].sort((one, other) => Number(one.tag) - Number(other.tag));
  return draftOf({ marcFormat: format, leader, fields: all });
}

export const newTitle = (known: Known) => blank("BIBLIOGRAPHIC", known, [field("245", "0", "0", "$a ")]);

/** `hrid`: of the title whose holdings they are. */
export const newHoldings = (known: Known, hrid: string) =>
  blank("HOLDINGS", known, [{ tag: "004", content: hrid }, field("852", BLANK, BLANK, "$b ")]);

export const newAuthority = (known: Known) =>
  blank("AUTHORITY", known, [{ tag: "001", content: "" }, field("100", "1", BLANK, "$a ")]);

/** What names the other record, here and in the catalogues from which it came. */
const OF_THE_OTHER = ["001", "003", "005", "010", "019", "035", "999"];

export function derived(from: QuickMarc): Draft {
  const draft = draftOf(from);
  const rows = draft.rows
    .filter((row) => !OF_THE_OTHER.includes(row.tag) || (row.tag === "999" && !lockOf(row, from.marcFormat, false)))
    .map(({ isProtected: _, ...row }) => row);
  return { ...draft, leader: `${draft.leader.slice(0, 5)}n${draft.leader.slice(6)}`, rows };
}
