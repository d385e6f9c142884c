import { pluralizer } from "../../words/counting.ts";
import type { BatchWords } from "./en.ts";

export const de: BatchWords = {
  many: "Viele auf einmal",
  outTitle: "Viele Exemplare ausleihen",
  inTitle: "Viele Exemplare zurücknehmen",
  label: "Barcodes",
  help: "Einer je Zeile; aus einer Tabelle zählt die erste Spalte. Sie werden der Reihe nach verbucht, wie gescannt.",
  file: "Oder aus einer Datei",
  send: (count) => `${count} verbuchen`,
  most: (most, count) =>
    `Das sind ${count} Barcodes; höchstens ${most} gehen auf einmal. Verbuchen Sie die übrigen danach.`,
  refused: "Abgelehnte als CSV speichern",
  refusedFile: "Abgelehnt",
  barcode: "Barcode",
  reason: "Grund",
  summary: "Wohin die zurückgegebenen Exemplare gehen",
  shelf: "An den Standort",
  hold: "Ins Abholregal",
  delivery: "Zu liefern",
  transit: (name) => `Unterwegs nach ${name}`,
  items: (count) => pluralizer("de")(count, { one: "{} Exemplar", other: "{} Exemplare" }),
  print: "Alles drucken",
};
