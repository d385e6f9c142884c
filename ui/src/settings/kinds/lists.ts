/**
 * Reference data of patrons, items and titles. The lists are alike, so each has one entry here: path, permissions, and
 * the fields besides the name. Their titles are in `words/lists-en.ts`.
 */

import type { Formats } from "../../words/index.tsx";
import type { Kind, SettingRecord, Source, Spec, Use } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import type { ListName } from "../words/lists-en.ts";

interface ListSpec {
  path: string;
  /** Address of the page, if it is not the last part of the path. */
  slug?: string;
  /** Name of the collection in answers, if it is not the last part of the path in camel case. */
  collection?: string;
  /** Prefix of the permissions, if it is not `inventory-storage` and the path. */
  rights?: string;
  /** Member with the name, if it is not `name`. */
  title?: string;
  /** Fields besides the name. */
  extraFields?: readonly (keyof typeof EXTRA_FIELDS)[];
  /** The list has standard values; only those that this library has added can be changed. */
  standard?: boolean;
  letter?: string;
  /** Records that may refer to it, which the server does not check. */
  uses?: readonly Use[];
}

const parentChoice = (at: string, label: (words: SettingsWords) => string, from: Source) => (words: SettingsWords) =>
  ({ is: "choice", at, label: label(words), from, required: true }) as const;

const EXTRA_FIELDS = {
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
  institution: parentChoice("institutionId", (words) => words.list.institution, "institutions"),
  campus: parentChoice("campusId", (words) => words.list.campus, "campuses"),
  codeType: parentChoice("statisticalCodeTypeId", (words) => words.list.codeType, "statisticalCodeTypes"),
};

const usedInUsers = (at: string): Use => ({ path: "/users", at, table: "users" });
const usedInItems = (at: string): Use => ({ path: "/item-storage/items", at, table: "item" });
const usedInHoldings = (at: string): Use => ({ path: "/holdings-storage/holdings", at, table: "holdings_record" });
const usedInInstances = (at: string): Use => ({ path: "/instance-storage/instances", at, table: "instance" });

/** The source of values that this library has added. */
const LOCAL_SOURCE = "local";

const lastSegment = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const kindOf = (
  name: ListName,
  { path, title = "name", extraFields = [], standard = false, ...list }: ListSpec,
): Kind => ({
  name,
  path,
  title,
  slug: lastSegment(path),
  collection: lastSegment(path).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  rights: `inventory-storage${path.replaceAll("/", ".")}`,
  ...list,
  ...(standard && {
    standard,
    may: ({ source }: SettingRecord) => source === LOCAL_SOURCE,
  }),
  blank: standard || name === "materialTypes" ? { source: LOCAL_SOURCE } : {},
  sections: (words) => [
    {
      fields: [
        { is: "text", at: title, label: words.name, required: true },
        ...extraFields.map((part) => EXTRA_FIELDS[part](words)),
      ],
    },
  ],
  summary: (record, words, formats) => summary(record, words, formats, standard),
});

function summary(record: SettingRecord, words: SettingsWords, formats: Formats, standard: boolean): string {
  const { code, desc, description, expirationOffsetInDays: days, usageNumber, source } = record;
  const parts = [
    code,
    desc ?? description,
    days !== undefined && formats.period(`${days} days`),
    usageNumber !== undefined && words.list.patrons(Number(usageNumber)),
    standard && (source === LOCAL_SOURCE ? words.list.own : source),
  ];
  return parts.filter((part) => part !== undefined && part !== "" && part !== false).join(" · ");
}

const kindsFromSpecs = (lists: Partial<Record<ListName, ListSpec>>): Kind[] =>
  (Object.entries(lists) as [ListName, ListSpec][]).map(([name, list]) => kindOf(name, list));

export const PATRON_LISTS = kindsFromSpecs({
  groups: {
    path: "/groups",
    slug: "patron-groups",
    collection: "usergroups",
    rights: "usergroups",
    title: "group",
    extraFields: ["desc", "expirationOffset"],
    letter: "g",
  },
  departments: {
    path: "/departments",
    rights: "departments",
    extraFields: ["code"],
    uses: [usedInUsers("departments")],
  },
  addressTypes: {
    path: "/addresstypes",
    slug: "address-types",
    collection: "addressTypes",
    rights: "addresstypes",
    title: "addressType",
    extraFields: ["desc"],
  },
  noteTypes: { path: "/note-types", rights: "note.types" },
  cancellationReasons: {
    path: "/cancellation-reason-storage/cancellation-reasons",
    rights: "circulation-storage.cancellation-reasons",
    extraFields: ["description", "publicDescription", "moreNeeded"],
  },
});

export const PLACE_LISTS = kindsFromSpecs({
  institutions: { path: "/location-units/institutions", collection: "locinsts", extraFields: ["code"], letter: "a" },
  campuses: {
    path: "/location-units/campuses",
    collection: "loccamps",
    extraFields: ["code", "institution"],
    letter: "b",
  },
  libraries: { path: "/location-units/libraries", collection: "loclibs", extraFields: ["code", "campus"], letter: "c" },
});

export const COPY_LISTS = kindsFromSpecs({
  materialTypes: { path: "/material-types", collection: "mtypes", letter: "m" },
  loanTypes: { path: "/loan-types", collection: "loantypes", letter: "t" },
  itemNoteTypes: { path: "/item-note-types", standard: true, uses: [usedInItems("notes")] },
  damagedStatuses: {
    path: "/item-damaged-statuses",
    collection: "itemDamageStatuses",
    standard: true,
    uses: [usedInItems("itemDamagedStatusId")],
  },
  holdingsTypes: { path: "/holdings-types", standard: true },
  holdingsNoteTypes: { path: "/holdings-note-types", standard: true, uses: [usedInHoldings("notes")] },
  holdingsSources: { path: "/holdings-sources", collection: "holdingsRecordsSources", standard: true },
  callNumberTypes: { path: "/call-number-types", standard: true, uses: [usedInItems("itemLevelCallNumberTypeId")] },
  illPolicies: { path: "/ill-policies", standard: true },
  statisticalCodes: {
    path: "/statistical-codes",
    extraFields: ["code", "codeType"],
    standard: true,
    uses: [
      usedInItems("statisticalCodeIds"),
      usedInHoldings("statisticalCodeIds"),
      usedInInstances("statisticalCodeIds"),
    ],
  },
  statisticalCodeTypes: { path: "/statistical-code-types", standard: true },
});

export const TITLE_LISTS = kindsFromSpecs({
  instanceTypes: { path: "/instance-types", slug: "resource-types", extraFields: ["code"], standard: true },
  instanceFormats: {
    path: "/instance-formats",
    slug: "formats",
    extraFields: ["code"],
    standard: true,
    uses: [usedInInstances("instanceFormatIds")],
  },
  modesOfIssuance: { path: "/modes-of-issuance", collection: "issuanceModes", standard: true },
  instanceStatuses: {
    path: "/instance-statuses",
    slug: "title-statuses",
    extraFields: ["code"],
    standard: true,
    uses: [usedInInstances("statusId")],
  },
  instanceNoteTypes: {
    path: "/instance-note-types",
    slug: "title-note-types",
    standard: true,
    uses: [usedInInstances("notes")],
  },
  contentTerms: {
    path: "/nature-of-content-terms",
    slug: "nature-of-content",
    standard: true,
    uses: [usedInInstances("natureOfContentTermIds")],
  },
  identifierTypes: { path: "/identifier-types", standard: true, uses: [usedInInstances("identifiers")] },
  classificationTypes: { path: "/classification-types", standard: true, uses: [usedInInstances("classifications")] },
  contributorTypes: {
    path: "/contributor-types",
    extraFields: ["code"],
    standard: true,
    uses: [usedInInstances("contributors")],
  },
  contributorNameTypes: {
    path: "/contributor-name-types",
    extraFields: ["ordering"],
    standard: true,
    uses: [usedInInstances("contributors")],
  },
  alternativeTitleTypes: {
    path: "/alternative-title-types",
    standard: true,
    uses: [usedInInstances("alternativeTitles")],
  },
  linkRelationships: {
    path: "/electronic-access-relationships",
    slug: "link-relationships",
    standard: true,
    uses: [usedInInstances("electronicAccess"), usedInHoldings("electronicAccess"), usedInItems("electronicAccess")],
  },
});
