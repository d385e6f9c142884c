/** The words of the page that searches the inventory, in English. */

import { pluralizer } from "../../words/counting.ts";
import type { CallNumberType, ListName } from "../browsing.ts";
import type { FacetName } from "../facets.ts";
import type { SearchOption } from "../options.ts";

const counted = pluralizer("en");
const titles = (count: number) => counted(count, { one: "{} title", other: "{} titles" });

const options: Record<SearchOption, string> = {
  anything: "Everything",
  keyword: "Keyword (title, contributor, identifier)",
  title: "Title (all)",
  contributor: "Contributor",
  subject: "Subject",
  series: "Series",
  publisher: "Publisher",
  identifier: "Identifier (all)",
  isbn: "ISBN",
  issn: "ISSN",
  lccn: "LCCN, normalized",
  oclc: "OCLC number, normalized",
  classification: "Classification number",
  instanceNotes: "Instance notes (all)",
  administrativeNotes: "Instance administrative notes",
  hrid: "Instance HRID",
  id: "Instance UUID",
  contributorName: "Contributor, exactly",
  subjectHeading: "Subject, exactly",
  classificationNumber: "Classification number, exactly",
  barcode: "Item: barcode",
  callNumber: "Item: effective call number",
  normalizedCallNumber: "Item: effective call number, normalized",
  shelvingOrder: "Item: shelving order",
  itemNotes: "Item: notes (all)",
  circulationNotes: "Item: circulation notes",
  itemHrid: "Item: HRID",
  itemId: "Item: UUID",
  holdingsCallNumber: "Holdings: call number",
  normalizedHoldingsCallNumber: "Holdings: call number, normalized",
  holdingsNotes: "Holdings: notes (all)",
  holdingsHrid: "Holdings: HRID",
  holdingsId: "Holdings: UUID",
  cql: "Query search (CQL)",
};

const facets: Record<FacetName, string> = {
  status: "Item status",
  location: "Effective location (item)",
  language: "Language",
  resource: "Resource type",
  format: "Format",
  material: "Material type",
  mode: "Mode of issuance",
  nature: "Nature of content",
  shelf: "Permanent location (holdings)",
  holdings: "Holdings type",
  state: "Instance status",
  statistical: "Statistical code",
  tag: "Tags of titles",
  itemTag: "Tags of items",
  holdingsTag: "Tags of holdings",
  staffSuppress: "Staff suppressed",
  discoverySuppress: "Suppressed from discovery",
  source: "Source",
};

const lists: Record<ListName, string> = {
  "call-numbers": "Browse call numbers",
  subjects: "Browse subjects",
  contributors: "Browse contributors",
  classifications: "Browse classification numbers",
};

const callNumberTypes: Record<CallNumberType | "all", string> = {
  all: "All types",
  lc: "Library of Congress",
  dewey: "Dewey Decimal",
  nlm: "National Library of Medicine",
  sudoc: "Superintendent of Documents",
  other: "Other scheme",
  local: "Local",
};

export const en = {
  tabs: "Ways to find titles",
  search: "Search",
  option: "Search in",
  options,
  helps: {
    masks: "* stands for any characters: hist* finds words that begin with hist.",
    cql: "A query in CQL, FOLIO's query language. Enter sends it.",
  },
  titles,
  nothing: "No titles found.",
  meant: "Did you mean",
  sort: "Sort",
  sorts: {
    relevance: "Best match first",
    title: "Title, A to Z",
    "-title": "Title, Z to A",
    contributors: "Contributor, A to Z",
    "-contributors": "Contributor, Z to A",
  },
  filters: {
    title: "Filters",
    button: (count: number) => (count === 0 ? "Filters" : `Filters (${count})`),
    show: (count: number) => `Show ${titles(count)}`,
    clear: "Clear all filters",
    remove: (facet: string, value: string) => `Remove filter: ${facet}, ${value}`,
    more: (facet: string) => `More: ${facet}`,
    fewer: (facet: string) => `Fewer: ${facet}`,
    moreShort: "More",
    fewerShort: "Fewer",
    jump: "Go to the filters",
    facets,
    truths: { true: "Yes", false: "No" } as Record<string, string>,
  },
  saved: {
    title: "Saved searches",
    none: "No search has been saved in this browser yet.",
    here: "They are kept in this browser, for you alone.",
    name: "Name for this search",
    save: "Save search",
    remove: (name: string) => `Delete: ${name}`,
    nothing: "Search for something, or set a filter, to save it here.",
  },
  export: {
    title: "Export",
    what: (count: number) => `${titles(count)} found.`,
    ids: "Save ids",
    idsHelp: "The UUIDs of all titles found, one a line.",
    csv: "Save as CSV",
    csvHelp: "A table for spreadsheets.",
    csvFirst: (most: string) => `A table for spreadsheets, of the first ${most} titles.`,
    far: (count: string, of: string) => `${count} of ${of}`,
    stop: "Stop",
    done: (name: string, count: number) => `${name} has been saved: ${titles(count)}.`,
    file: "titles",
    columns: {
      title: "Title",
      contributors: "Contributors",
      publisher: "Publisher",
      date: "Date",
      isbn: "ISBN",
      languages: "Languages",
      callNumbers: "Call numbers",
      copies: "Items",
      available: "Available",
      hrid: "HRID",
      id: "UUID",
    },
  },
  browse: {
    lists,
    from: "Begin at",
    help: "A call number, heading or name, or how it begins.",
    type: "Type of call number",
    types: callNumberTypes,
  },
};

export type InventoryWords = typeof en;
