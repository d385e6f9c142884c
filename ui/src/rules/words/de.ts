import type { RulesWords } from "./en.ts";

export const de: RulesWords = {
  names: "Namen, die hier passen",
  namesHelp:
    "Nach einem Buchstaben und einem Leerzeichen werden beim Tippen passende Namen vorgeschlagen: Pfeiltasten, dann Eingabe.",
  unknown: (names) =>
    `Unbekannter oder mehrdeutiger Name: ${names.map((name) => `„${name}“`).join(", ")}. Wählen Sie einen Namen aus der Liste, oder schreiben Sie die UUID.`,
  changedMeanwhile:
    "Jemand anderes hat die Regeln inzwischen geändert, deshalb wurden Ihre nicht gespeichert. Kopieren Sie, was Sie geschrieben haben, verwerfen Sie Ihre Änderungen, um die neuen Regeln zu sehen, und ergänzen Sie dort Ihre.",
  tried: {
    title: "Ausleihen mit anderem Ergebnis",
    days: "Zeitraum in Tagen, bis heute",
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
      lineBefore: "Zeile (alt)",
      lineAfter: "Zeile (neu)",
      policyBefore: "Richtlinie (alt)",
      policyAfter: "Richtlinie (neu)",
      dueBefore: "Fällig (alt)",
      dueAfter: "Fällig (neu)",
    },
  },
};
