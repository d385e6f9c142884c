/** The words of merging two records of one person. */

import { pluralizer } from "../../../words/counting.ts";

const counted = pluralizer("en");
const one = (singular: string, plural: string) => (count: number) =>
  counted(count, { one: `{} ${singular}`, other: `{} ${plural}` });

export const en = {
  do: "Merge with a duplicate",
  title: (name: string) => `Merge another record with ${name}`,
  help: "Loans, requests and fees/fines of the duplicate are moved to this patron. The duplicate stays, inactive and without a card; it can be deleted then.",
  duplicate: "The duplicate",
  whom: "Choose the duplicate first.",
  takeBarcode: (barcode: string) => `The duplicate's card ${barcode} is this patron's card from now on`,
  moves: (name: string) => `These records of ${name} will be moved:`,
  movesNothing: (name: string) => `${name} has no records to move.`,
  counts: {
    loan: one("loan, with its history", "loans, with their history"),
    request: one("request", "requests"),
    "fee/fine account": one("fee/fine", "fees/fines"),
    "manual block": one("manual block", "manual blocks"),
    note: one("note", "notes"),
    notice: one("patron notice", "patron notices"),
    "proxy relation": one("proxy or sponsor", "proxies and sponsors"),
  },
  obstacles: "They cannot be merged yet. First settle:",
  obstacle: (message: string, title: string) => (title ? `${message}: ${title}` : message),
  submit: "Merge",
  done: (name: string) => `Merged: ${name}`,
  earlier: "Earlier merges",
  made: (name: string, day: string) => `${name}, on ${day}`,
  undo: "Undo",
  undone: (name: string) => `Merge undone: ${name}`,
};

export type MergeWords = typeof en;
