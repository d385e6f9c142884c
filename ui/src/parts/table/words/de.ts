import { pluralizer } from "../../../words/counting.ts";
import type { TableWords } from "./en.ts";

export const de: TableWords = {
  columns: "Spalten",
  asUsual: "Auf Standard zurücksetzen",
  roomy: "Hohe Zeilen",
  csv: "Als CSV speichern",
  tickAll: "Alle markieren",
  ticked: (count) => `${count} markiert`,
  tickNone: "Markierung aufheben",
  rows: (count) => pluralizer("de")(count, { one: "{} Zeile", other: "{} Zeilen" }),
  withTicked: "Mit den markierten Zeilen",
  help: "Pfeiltasten gehen von Zeile zu Zeile, die Leertaste markiert, mit Umschalt einen Bereich, Strg+A alle; Enter öffnet.",
};
