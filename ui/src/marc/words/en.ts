import { pluralizer } from "../../words/counting.ts";
import type { EditorAction } from "../moves.ts";
import type { ProblemName } from "../problems.ts";
import type { Format } from "../record.ts";

const counted = pluralizer("en");

const problems: Record<ProblemName, (of: string) => string> = {
  tag: () => "A tag has three digits.",
  indicator: () => "An indicator is a digit, a small letter, or blank.",
  noText: () => "Nothing is written here.",
  beforeSubfields: (of) =>
    `“${of}” stands before the first subfield. A subfield begins with $ and its code, such as $a.`,
  subfieldCode: () => "A $ without a code behind it. Write a dollar sign as {dollar}.",
  emptySubfield: (of) => `Without a value it is not saved: ${of}`,
  repeated: (of) => `There may be one ${of} only.`,
  needed: (of) => `Field ${of} is required.`,
  repeatedHeading: () => "A title has one main entry (1XX).",
  leaderLength: () => "The leader has 24 characters.",
  leaderValue: (of) => `Leader: choose a value for “${of}”.`,
  fixedValue: (of) => `Not a value of “${of}”.`,
  fixedLength: (of) => `“${of}” has too few or too many characters.`,
  year: (of) => `“${of}”: four digits, with u for one that is not known.`,
  isbn: (of) => `The check digit of this ISBN is wrong: ${of}`,
};

const keys: Record<EditorAction | "tab" | "arrows", string> = {
  add: "Add a field below",
  remove: "Remove the field",
  back: "Put the last removed field back",
  up: "Move the field up",
  down: "Move the field down",
  link: "Link the heading to an authority",
  save: "Save",
  keys: "Show or hide these keys",
  tab: "Tag, indicators, text, next field",
  arrows: "In tag and indicators: the field above or below",
};

export const en = {
  titles: {
    BIBLIOGRAPHIC: "MARC record of a title",
    HOLDINGS: "MARC record of holdings",
    AUTHORITY: "MARC record of an authority",
  } as Record<Format, string>,
  newTitles: {
    BIBLIOGRAPHIC: "New title in MARC",
    HOLDINGS: "New holdings in MARC",
    AUTHORITY: "New authority",
  } as Record<Format, string>,
  derived: "A new title like another. What named the other record (001, 010, 035 and the like) has been left out.",
  viewMarc: "View MARC",
  plain: {
    title: "MARC as it is stored",
    none: "There is no MARC record here.",
    updated: (when: string) => `Last changed ${when}`,
    edit: "Edit",
    back: "Back",
    copy: "Copy",
    copied: "Copied.",
  },
  leader: "Leader",
  fixedField: (tag: string) => `Positions of ${tag}`,
  other: (code: string) => `${code} (not a value)`,
  sign: (name: string, place: number) => `${name}, ${place}`,
  fields: "Fields",
  tag: "Tag",
  ind1: "First indicator",
  ind2: "Second indicator",
  text: "Text of the field",
  own: "Subfields not controlled by the authority",
  ofField: (what: string, tag: string) => `${what}, ${tag || "new"}`,
  locked: {
    system: "The server writes this field.",
    protected: "The library protects this field.",
  },
  unlock: "Unlock",
  suppress: "Suppress from discovery",
  remove: (tag: string) => `Remove ${tag || "the field"}`,
  putBack: (tag: string) => `Put ${tag || "the field"} back`,
  addFirst: "Add a field",
  keysTitle: "Keys",
  keys,
  problems,
  problemsTitle: (count: number) => counted(count, { one: "{} error to correct", other: "{} errors to correct" }),
  cannotSave: "Not saved yet: correct the marked fields first.",
  saving: "Saving",
  state: {
    saved: (when: string) => `Saved ${when}`,
    savedBy: (when: string, who: string) => `Saved ${when} by ${who}`,
    IN_PROGRESS: "The last change is on its way into the catalogue.",
    ERROR: "The last change could not be taken into the catalogue.",
    unsaved: "Not saved",
    nothing: "Nothing has been changed.",
    notMadeYet:
      "The record has been sent, but it has not come into the catalogue yet. Look for it there before you send it once more.",
  },
  done: {
    BIBLIOGRAPHIC: "The MARC record is saved; the instance is updated from it.",
    HOLDINGS: "The MARC record is saved; the holdings are updated from it.",
    AUTHORITY: "The authority is saved.",
  } as Record<Format, string>,
  conflict: {
    title: "Somebody else has saved this record meanwhile",
    help: "Lines that only one of the two has are marked.",
    theirs: "As it is stored now",
    mine: "My version",
    take: "Discard my changes and load the stored record",
    keep: "Keep my version; saving overwrites the stored record",
  },
  link: {
    button: "Link",
    title: (tag: string) => `Link ${tag} to an authority`,
    search: "Heading",
    help: "Words of the heading; an authority's number (010, 001) works, too.",
    none: "No authority has these words.",
    take: "Link",
    wrongKind: (tag: string) => `Field ${tag} cannot be linked to a heading of this type.`,
    noHeading: "This authority has no heading.",
    linked: "Linked to an authority",
    failed: "The last change of the authority did not reach this title.",
    open: "Open the authority",
    unlink: "Unlink",
    auto: "Link headings automatically",
    autoDone: (count: number) =>
      counted(count, {
        one: "{} heading has been linked. Look at it, and save.",
        other: "{} headings have been linked. Look at them, and save.",
      }),
    autoNone: "No heading could be linked automatically.",
    causes: {
      "101": "No authority has the number in $0.",
      "102": "Several authorities have the number in $0.",
      "103": "This field is not linked automatically.",
    } as Record<string, string>,
    cause: "This heading could not be linked.",
    titles: (count: number) => counted(count, { one: "{} title", other: "{} titles" }),
  },
  holdingsAt: "Location",
  file: {
    label: "Authority source",
    none: "None",
    next: "Assign the next number",
  },
  change: {
    title: "The heading changes",
    was: "Until now",
    will: "From now on",
    follows: (count: number) =>
      counted(count, {
        one: "{} title is linked to this authority. Its heading is changed, too.",
        other: "{} titles are linked to this authority. Their headings are changed, too.",
      }),
    none: "No title is linked to this authority.",
    more: (count: number) => counted(count, { one: "and {} more", other: "and {} more" }),
    unlinks: "It becomes a heading of another type: the titles are no longer linked to it.",
    save: "Save and change them",
  },
};

export type MarcWords = typeof en;
