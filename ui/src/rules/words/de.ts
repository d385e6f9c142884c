import type { RulesWords } from "./en.ts";

export const de: RulesWords = {
  names: "Namen, die hier passen",
  namesHelp:
    "Nach einem Buchstaben und einem Leerzeichen werden beim Tippen passende Namen vorgeschlagen: Pfeiltasten, dann Eingabe.",
  unknown: (names) =>
    `Hier heißt nichts ${names.map((name) => `„${name}“`).join(", ")}, oder mehreres: Wählen Sie aus der Liste, oder schreiben Sie die ID.`,
  tried: {
    title: "Ausleihen, die anders verlaufen wären",
    days: "Ausleihen der letzten Tage",
    daysHelp: "1 bis 366",
    stale: "Die Regeln im Feld sind seither geändert worden: bitte noch einmal durchspielen.",
    firstOnly: (most, of) => `Der Server nennt ${most} dieser ${of} Ausleihen einzeln; gezählt sind alle.`,
    change: "Änderung",
    all: "alle",
    file: "Ausleihen unter anderen Regeln",
    columns: {
      title: "Titel",
      barcode: "Barcode",
      group: "Gruppe",
      patron: "Leser",
      loanDate: "Ausgeliehen",
      lineBefore: "Zeile jetzt",
      lineAfter: "Zeile dann",
      policyBefore: "Richtlinie jetzt",
      policyAfter: "Richtlinie dann",
      dueBefore: "Fällig jetzt",
      dueAfter: "Fällig dann",
    },
  },
};
