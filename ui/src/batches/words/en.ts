import { pluralizer } from "../../words/counting.ts";

export const en = {
  many: "Many at once",
  outTitle: "Check out many items",
  inTitle: "Check in many items",
  label: "Barcodes",
  help: "Paste them, one a line; of a table, the first column counts. They are sent in order, like scans.",
  file: "Or from a file",
  send: (count: string) => `Send ${count}`,
  most: (most: string, count: string) =>
    `These are ${count} barcodes; at most ${most} can be sent at once. Send the others afterwards.`,
  refused: "Save refused as CSV",
  refusedFile: "Refused",
  barcode: "Barcode",
  reason: "Reason",
  summary: "Where the returned items go",
  shelf: "To the shelf",
  hold: "To the hold shelf",
  delivery: "To be delivered",
  transit: (name: string) => `In transit to ${name}`,
  items: (count: number) => pluralizer("en")(count, { one: "{} item", other: "{} items" }),
  print: "Print all",
};

export type BatchWords = typeof en;
