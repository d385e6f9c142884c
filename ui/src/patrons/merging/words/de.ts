import { pluralizer } from "../../../words/counting.ts";
import type { MergeWords } from "./en.ts";

const counted = pluralizer("de");
const one = (singular: string, plural: string) => (count: number) =>
  counted(count, { one: `{} ${singular}`, other: `{} ${plural}` });

const OBSTACLES: Record<string, string> = {
  "Both have an open request for the same title": "Beide haben denselben Titel vorgemerkt",
  "One has on loan what the other has requested": "Der eine Datensatz hat entliehen, was der andere vorgemerkt hat",
  "Your own record cannot be the duplicate": "Ihr eigener Datensatz kann nicht die Dublette sein",
};

export const de: MergeWords = {
  do: "Mit einer Dublette zusammenführen",
  title: (name) => `Einen anderen Datensatz mit ${name} zusammenführen`,
  help: "Ausleihen, Vormerkungen und Gebühren der Dublette werden auf diesen Leser übertragen. Die Dublette bleibt inaktiv und ohne Ausweis stehen; danach kann sie gelöscht werden.",
  duplicate: "Die Dublette",
  whom: "Wählen Sie zuerst die Dublette.",
  takeBarcode: (barcode) => `Der Ausweis ${barcode} der Dublette gilt künftig für diese Person`,
  moves: (name) => `Diese Datensätze von ${name} werden übertragen:`,
  movesNothing: (name) => `${name} hat keine Datensätze zum Übertragen.`,
  counts: {
    loan: one("Ausleihe mit ihrem Verlauf", "Ausleihen mit ihrem Verlauf"),
    request: one("Vormerkung", "Vormerkungen"),
    "fee/fine account": one("Gebühr", "Gebühren"),
    "manual block": one("manuelle Sperre", "manuelle Sperren"),
    note: one("Notiz", "Notizen"),
    notice: one("Benachrichtigung", "Benachrichtigungen"),
    "proxy relation": one("Vertretung", "Vertretungen"),
  },
  obstacles: "Sie können noch nicht zusammengeführt werden. Zuerst zu klären:",
  obstacle: (message, title) => {
    const said = OBSTACLES[message] ?? message;
    return title ? `${said}: ${title}` : said;
  },
  submit: "Zusammenführen",
  done: (name) => `Zusammengeführt: ${name}`,
  earlier: "Frühere Zusammenführungen",
  made: (name, day) => `${name}, am ${day}`,
  undo: "Rückgängig machen",
  undone: (name) => `Zusammenführung rückgängig gemacht: ${name}`,
};
