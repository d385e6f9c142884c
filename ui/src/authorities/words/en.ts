import { pluralizer } from "../../words/counting.ts";
import type { AuthorityChange } from "../calls.ts";

const counted = pluralizer("en");

export const en = {
  title: "Authorities",
  tabs: "Ways to find an authority",
  searchTab: "Search",
  browse: "Browse headings",
  beginAt: "Begin at",
  beginAtHelp: "A heading, or how it begins.",
  search: "Heading or number",
  help: "Words of a heading, or the number of the authority.",
  make: "New authority",
  none: "No authority fits.",
  any: "All",
  filters: "Filters",
  references: "Include see and see also references",
  firstOnly: (most: string, total: string) =>
    `These are the first ${most} of ${total}. Narrow the search to see the others.`,
  columns: {
    heading: "Heading",
    kind: "Heading type",
    reference: "Heading or reference",
    titles: "Linked titles",
    file: "Authority source",
    number: "Number",
  },
  /** FOLIO's names. */
  kinds: {
    "Personal Name": "Person",
    "Corporate Name": "Corporate body",
    "Conference Name": "Conference",
    "Uniform Title": "Uniform title",
    Topical: "Topic",
    "Geographic Name": "Place",
    Genre: "Genre or form",
    Other: "Other",
  } as Record<string, string>,
  referenceTypes: {
    Authorized: "Heading",
    Reference: "See heading",
    "Auth/Ref": "See also heading",
  } as Record<string, string>,
  edit: "Edit",
  plain: "View MARC",
  from: "See from",
  also: "See also",
  notes: "Notes",
  titles: "Linked titles",
  titlesOf: (count: number) => counted(count, { one: "{} linked title", other: "{} linked titles" }),
  noTitles: "No title is linked to this authority.",
  remove: {
    button: "Delete",
    title: "Delete this authority?",
    submit: "Delete",
    done: "The authority is deleted.",
    follows: (count: number) =>
      counted(count, {
        one: "{} title is linked to it. Its heading stays as it is, but is no longer controlled by an authority.",
        other:
          "{} titles are linked to it. Their headings stay as they are, but are no longer controlled by an authority.",
      }),
    nothingFollows: "No title is linked to it.",
  },
  changes: {
    title: "Changes of headings",
    help: "The last 90 days, the newest first. Each change is made in all linked titles automatically.",
    none: "Nothing has been changed.",
    becomes: "becomes",
    actions: {
      UPDATE_HEADING: "Heading changed",
      UPDATE_NATURAL_ID: "Number changed",
      DELETE: "Authority deleted",
    } as Record<AuthorityChange["action"], string>,
    progress: (done: number, total: number) =>
      counted(total, { one: `${done} of {} title done`, other: `${done} of {} titles done` }),
    failed: (count: number) =>
      counted(count, { one: "{} title could not be changed.", other: "{} titles could not be changed." }),
  },
};

export type HeadingWords = typeof en;
