/**
 * The small lists that records of patrons, copies and titles choose from. They are alike, so each is one line here: where it is
 * kept, its permissions, and what it has beside a name. What they are called stands in `words/lists-en.ts`.
 */

import type { Formats } from "../../words/index.tsx";
import type { Kind, Source, Spec, Stored, Use } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import type { ListName } from "../words/lists-en.ts";

interface List {
  slug: string;
  path: string;
  collection: string;
  rights: string;
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

const inventory = (name: string) => `inventory-storage.${name}`;

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

const LISTS: Record<ListName, List> = {
  groups: {
    slug: "patron-groups",
    path: "/groups",
    collection: "usergroups",
    rights: "usergroups",
    title: "group",
    has: ["desc", "expirationOffset"],
    letter: "g",
  },
  addressTypes: {
    slug: "address-types",
    path: "/addresstypes",
    collection: "addressTypes",
    rights: "addresstypes",
    title: "addressType",
    has: ["desc"],
  },
  departments: {
    slug: "departments",
    path: "/departments",
    collection: "departments",
    rights: "departments",
    has: ["code"],
    uses: [users("departments")],
  },
  noteTypes: { slug: "note-types", path: "/note-types", collection: "noteTypes", rights: "note.types" },
  cancellationReasons: {
    slug: "cancellation-reasons",
    path: "/cancellation-reason-storage/cancellation-reasons",
    collection: "cancellationReasons",
    rights: "circulation-storage.cancellation-reasons",
    has: ["description", "publicDescription", "moreNeeded"],
  },

  institutions: {
    slug: "institutions",
    path: "/location-units/institutions",
    collection: "locinsts",
    rights: inventory("location-units.institutions"),
    has: ["code"],
    letter: "a",
  },
  campuses: {
    slug: "campuses",
    path: "/location-units/campuses",
    collection: "loccamps",
    rights: inventory("location-units.campuses"),
    has: ["code", "institution"],
    letter: "b",
  },
  libraries: {
    slug: "libraries",
    path: "/location-units/libraries",
    collection: "loclibs",
    rights: inventory("location-units.libraries"),
    has: ["code", "campus"],
    letter: "c",
  },

  materialTypes: {
    slug: "material-types",
    path: "/material-types",
    collection: "mtypes",
    rights: inventory("material-types"),
    letter: "m",
  },
  loanTypes: {
    slug: "loan-types",
    path: "/loan-types",
    collection: "loantypes",
    rights: inventory("loan-types"),
    letter: "t",
  },
  itemNoteTypes: {
    slug: "item-note-types",
    path: "/item-note-types",
    collection: "itemNoteTypes",
    rights: inventory("item-note-types"),
    standard: true,
    uses: [copies("notes")],
  },
  damagedStatuses: {
    slug: "item-damaged-statuses",
    path: "/item-damaged-statuses",
    collection: "itemDamageStatuses",
    rights: inventory("item-damaged-statuses"),
    standard: true,
    uses: [copies("itemDamagedStatusId")],
  },
  holdingsTypes: {
    slug: "holdings-types",
    path: "/holdings-types",
    collection: "holdingsTypes",
    rights: inventory("holdings-types"),
    standard: true,
  },
  holdingsNoteTypes: {
    slug: "holdings-note-types",
    path: "/holdings-note-types",
    collection: "holdingsNoteTypes",
    rights: inventory("holdings-note-types"),
    standard: true,
    uses: [holdings("notes")],
  },
  holdingsSources: {
    slug: "holdings-sources",
    path: "/holdings-sources",
    collection: "holdingsRecordsSources",
    rights: inventory("holdings-sources"),
    standard: true,
  },
  callNumberTypes: {
    slug: "call-number-types",
    path: "/call-number-types",
    collection: "callNumberTypes",
    rights: inventory("call-number-types"),
    standard: true,
    uses: [copies("itemLevelCallNumberTypeId")],
  },
  illPolicies: {
    slug: "ill-policies",
    path: "/ill-policies",
    collection: "illPolicies",
    rights: inventory("ill-policies"),
    standard: true,
  },
  statisticalCodeTypes: {
    slug: "statistical-code-types",
    path: "/statistical-code-types",
    collection: "statisticalCodeTypes",
    rights: inventory("statistical-code-types"),
    standard: true,
  },
  statisticalCodes: {
    slug: "statistical-codes",
    path: "/statistical-codes",
    collection: "statisticalCodes",
    rights: inventory("statistical-codes"),
    has: ["code", "codeType"],
    standard: true,
    uses: [copies("statisticalCodeIds"), holdings("statisticalCodeIds"), titles("statisticalCodeIds")],
  },

  instanceTypes: {
    slug: "resource-types",
    path: "/instance-types",
    collection: "instanceTypes",
    rights: inventory("instance-types"),
    has: ["code"],
    standard: true,
  },
  instanceFormats: {
    slug: "formats",
    path: "/instance-formats",
    collection: "instanceFormats",
    rights: inventory("instance-formats"),
    has: ["code"],
    standard: true,
    uses: [titles("instanceFormatIds")],
  },
  modesOfIssuance: {
    slug: "modes-of-issuance",
    path: "/modes-of-issuance",
    collection: "issuanceModes",
    rights: inventory("modes-of-issuance"),
    standard: true,
  },
  instanceStatuses: {
    slug: "title-statuses",
    path: "/instance-statuses",
    collection: "instanceStatuses",
    rights: inventory("instance-statuses"),
    has: ["code"],
    standard: true,
    uses: [titles("statusId")],
  },
  instanceNoteTypes: {
    slug: "title-note-types",
    path: "/instance-note-types",
    collection: "instanceNoteTypes",
    rights: inventory("instance-note-types"),
    standard: true,
    uses: [titles("notes")],
  },
  alternativeTitleTypes: {
    slug: "alternative-title-types",
    path: "/alternative-title-types",
    collection: "alternativeTitleTypes",
    rights: inventory("alternative-title-types"),
    standard: true,
    uses: [titles("alternativeTitles")],
  },
  identifierTypes: {
    slug: "identifier-types",
    path: "/identifier-types",
    collection: "identifierTypes",
    rights: inventory("identifier-types"),
    standard: true,
    uses: [titles("identifiers")],
  },
  classificationTypes: {
    slug: "classification-types",
    path: "/classification-types",
    collection: "classificationTypes",
    rights: inventory("classification-types"),
    standard: true,
    uses: [titles("classifications")],
  },
  contributorTypes: {
    slug: "contributor-types",
    path: "/contributor-types",
    collection: "contributorTypes",
    rights: inventory("contributor-types"),
    has: ["code"],
    standard: true,
    uses: [titles("contributors")],
  },
  contributorNameTypes: {
    slug: "contributor-name-types",
    path: "/contributor-name-types",
    collection: "contributorNameTypes",
    rights: inventory("contributor-name-types"),
    has: ["ordering"],
    standard: true,
    uses: [titles("contributors")],
  },
  contentTerms: {
    slug: "nature-of-content",
    path: "/nature-of-content-terms",
    collection: "natureOfContentTerms",
    rights: inventory("nature-of-content-terms"),
    standard: true,
    uses: [titles("natureOfContentTermIds")],
  },
  linkRelationships: {
    slug: "link-relationships",
    path: "/electronic-access-relationships",
    collection: "electronicAccessRelationships",
    rights: inventory("electronic-access-relationships"),
    standard: true,
    uses: [titles("electronicAccess"), holdings("electronicAccess"), copies("electronicAccess")],
  },
};

/** Where a list says who has made an entry, this library says so of its own. */
const OWN = "local";

const kindOf = (name: ListName, { title = "name", has = [], standard = false, ...list }: List): Kind => ({
  name,
  title,
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

const lists = Object.fromEntries(
  (Object.keys(LISTS) as ListName[]).map((name) => [name, kindOf(name, LISTS[name])]),
) as Record<ListName, Kind>;

const named = (...names: ListName[]): Kind[] => names.map((name) => lists[name]);

export const PATRON_LISTS = named("groups", "departments", "addressTypes", "noteTypes", "cancellationReasons");
export const PLACE_LISTS = named("institutions", "campuses", "libraries");
export const COPY_LISTS = named(
  "materialTypes",
  "loanTypes",
  "itemNoteTypes",
  "damagedStatuses",
  "holdingsTypes",
  "holdingsNoteTypes",
  "holdingsSources",
  "callNumberTypes",
  "illPolicies",
  "statisticalCodes",
  "statisticalCodeTypes",
);
export const TITLE_LISTS = named(
  "instanceTypes",
  "instanceFormats",
  "modesOfIssuance",
  "instanceStatuses",
  "instanceNoteTypes",
  "contentTerms",
  "identifierTypes",
  "classificationTypes",
  "contributorTypes",
  "contributorNameTypes",
  "alternativeTitleTypes",
  "linkRelationships",
);
