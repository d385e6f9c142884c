/**
 * The small lists that records of patrons, copies and titles choose from. They are alike, so each is one line here: where it is
 * kept, its permissions, and what it has beside a name. What they are called stands in `words/lists-en.ts`.
 */

import type { Formats } from "../../words/index.tsx";
import type { Kind, Source, Spec, Stored, Use } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import type { ListName } from "../words/lists-en.ts";

interface List {
  path: string;
  /** Where it is not the end of the path. */
  slug?: string;
  /** Where it is not the end of the path, written in one word. */
  collection?: string;
  /** Where they are not those of mod-inventory-storage by the path. */
  rights?: string;
  /** Where the name is not called so. */
  title?: string;
  /** What there is beside the name. */
  has?: readonly (keyof typeof PARTS)[];
  /** Comes with catalogues of the world: what is not of this library's making stays as it is. */
  standard?: boolean;
  letter?: string;
  /** What may name it without the server's minding. */
  uses?: readonly Use[];
}

const belongsTo = (at: string, label: (words: SettingsWords) => string, from: Source) => (words: SettingsWords) =>
  ({ is: "choice", at, label: label(words), from, required: true }) as const;

const PARTS = {
  code: (words: SettingsWords): Spec => ({ is: "text", at: "code", label: words.code, required: true }),
  desc: (words: SettingsWords): Spec => ({ is: "text", at: "desc", label: words.description, lines: 2 }),
  description: (words: SettingsWords): Spec => ({
    is: "text",
    at: "description",
    label: words.description,
    lines: 2,
  }),
  publicDescription: (words: SettingsWords): Spec => ({
    is: "text",
    at: "publicDescription",
    label: words.list.publicDescription,
    help: words.list.publicDescriptionHelp,
    lines: 2,
  }),
  moreNeeded: (words: SettingsWords): Spec => ({
    is: "yes",
    at: "requiresAdditionalInformation",
    label: words.list.moreNeeded,
  }),
  expirationOffset: (words: SettingsWords): Spec => ({
    is: "number",
    at: "expirationOffsetInDays",
    label: words.list.offset,
    help: words.list.offsetHelp,
  }),
  ordering: (words: SettingsWords): Spec => ({ is: "text", at: "ordering", label: words.list.ordering }),
  institution: belongsTo("institutionId", (words) => words.list.institution, "institutions"),
  campus: belongsTo("campusId", (words) => words.list.campus, "campuses"),
  codeType: belongsTo("statisticalCodeTypeId", (words) => words.list.codeType, "statisticalCodeTypes"),
};

const users = (at: string): Use => ({ path: "/users", at, table: "users" });
const copies = (at: string): Use => ({ path: "/item-storage/items", at, table: "item" });
const holdings = (at: string): Use => ({ path: "/holdings-storage/holdings", at, table: "holdings_record" });
const titles = (at: string): Use => ({ path: "/instance-storage/instances", at, table: "instance" });

/** Where a list says who has made an entry, this library says so of its own. */
const OWN = "local";

const lastOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const kindOf = (name: ListName, { path, title = "name", has = [], standard = false, ...list }: List): Kind => ({
  name,
  path,
  title,
  slug: lastOf(path),
  collection: lastOf(path).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  rights: `inventory-storage${path.replaceAll("/", ".")}`,
  ...list,
  ...(standard && {
    standard,
    may: ({ source }: Stored) => source === OWN,
  }),
  blank: standard || name === "materialTypes" ? { source: OWN } : {},
  sections: (words) => [
    {
      fields: [{ is: "text", at: title, label: words.name, required: true }, ...has.map((part) => PARTS[part](words))],
    },
  ],
  summary: (record, words, formats) => summary(record, words, formats, standard),
});

function summary(record: Stored, words: SettingsWords, formats: Formats, standard: boolean): string {
  const { code, desc, description, expirationOffsetInDays: days, usageNumber, source } = record;
  const parts = [
    code,
    desc ?? description,
    days !== undefined && formats.period(`${days} days`),
    usageNumber !== undefined && words.list.patrons(Number(usageNumber)),
    standard && (source === OWN ? words.list.own : source),
  ];
  return parts.filter((part) => part !== undefined && part !== "" && part !== false).join(" · ");
}

const kinds = (lists: Partial<Record<ListName, List>>): Kind[] =>
  (Object.entries(lists) as [ListName, List][]).map(([name, list]) => kindOf(name, list));

export const PATRON_LISTS = kinds({
  groups: {
    path: "/groups",
    slug: "patron-groups",
    collection: "usergroups",
    rights: "usergroups",
    title: "group",
    has: ["desc", "expirationOffset"],
    letter: "g",
  },
  departments: { path: "/departments", rights: "departments", has: ["code"], uses: [users("departments")] },
  addressTypes: {
    path: "/addresstypes",
    slug: "address-types",
    collection: "addressTypes",
    rights: "addresstypes",
    title: "addressType",
    has: ["desc"],
  },
  noteTypes: { path: "/note-types", rights: "note.types" },
  cancellationReasons: {
    path: "/cancellation-reason-storage/cancellation-reasons",
    rights: "circulation-storage.cancellation-reasons",
    has: ["description", "publicDescription", "moreNeeded"],
  },
});

export const PLACE_LISTS = kinds({
  institutions: { path: "/location-units/institutions", collection: "locinsts", has: ["code"], letter: "a" },
  campuses: { path: "/location-units/campuses", collection: "loccamps", has: ["code", "institution"], letter: "b" },
  libraries: { path: "/location-units/libraries", collection: "loclibs", has: ["code", "campus"], letter: "c" },
});

export const COPY_LISTS = kinds({
  materialTypes: { path: "/material-types", collection: "mtypes", letter: "m" },
  loanTypes: { path: "/loan-types", collection: "loantypes", letter: "t" },
  itemNoteTypes: { path: "/item-note-types", standard: true, uses: [copies("notes")] },
  damagedStatuses: {
    path: "/item-damaged-statuses",
    collection: "itemDamageStatuses",
    standard: true,
    uses: [copies("itemDamagedStatusId")],
  },
  holdingsTypes: { path: "/holdings-types", standard: true },
  holdingsNoteTypes: { path: "/holdings-note-types", standard: true, uses: [holdings("notes")] },
  holdingsSources: { path: "/holdings-sources", collection: "holdingsRecordsSources", standard: true },
  callNumberTypes: { path: "/call-number-types", standard: true, uses: [copies("itemLevelCallNumberTypeId")] },
  illPolicies: { path: "/ill-policies", standard: true },
  statisticalCodes: {
    path: "/statistical-codes",
    has: ["code", "codeType"],
    standard: true,
    uses: [copies("statisticalCodeIds"), holdings("statisticalCodeIds"), titles("statisticalCodeIds")],
  },
  statisticalCodeTypes: { path: "/statistical-code-types", standard: true },
});

export const TITLE_LISTS = kinds({
  instanceTypes: { path: "/instance-types", slug: "resource-types", has: ["code"], standard: true },
  instanceFormats: {
    path: "/instance-formats",
    slug: "formats",
    has: ["code"],
    standard: true,
    uses: [titles("instanceFormatIds")],
  },
  modesOfIssuance: { path: "/modes-of-issuance", collection: "issuanceModes", standard: true },
  instanceStatuses: {
    path: "/instance-statuses",
    slug: "title-statuses",
    has: ["code"],
    standard: true,
    uses: [titles("statusId")],
  },
  instanceNoteTypes: {
    path: "/instance-note-types",
    slug: "title-note-types",
    standard: true,
    uses: [titles("notes")],
  },
  contentTerms: {
    path: "/nature-of-content-terms",
    slug: "nature-of-content",
    standard: true,
    uses: [titles("natureOfContentTermIds")],
  },
  identifierTypes: { path: "/identifier-types", standard: true, uses: [titles("identifiers")] },
  classificationTypes: { path: "/classification-types", standard: true, uses: [titles("classifications")] },
  contributorTypes: { path: "/contributor-types", has: ["code"], standard: true, uses: [titles("contributors")] },
  contributorNameTypes: {
    path: "/contributor-name-types",
    has: ["ordering"],
    standard: true,
    uses: [titles("contributors")],
  },
  alternativeTitleTypes: { path: "/alternative-title-types", standard: true, uses: [titles("alternativeTitles")] },
  linkRelationships: {
    path: "/electronic-access-relationships",
    slug: "link-relationships",
    standard: true,
    uses: [titles("electronicAccess"), holdings("electronicAccess"), copies("electronicAccess")],
  },
});
