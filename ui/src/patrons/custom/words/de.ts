/** Was Formular und Seite eines Lesers zu eigenen Feldern sagen, auf Deutsch. */

import type { CustomWords } from "./en.ts";

export const de: CustomWords = {
  title: "Weitere Angaben",
  yes: "Ja",
  no: "Nein",
  none: "Nichts gewählt",
  choose: "Bitte wählen",
  chooseOne: "Wählen Sie mindestens eines.",
  lines: "Eine Angabe je Zeile",
  number: "Eine Zahl, etwa 12 oder 3,5",
  refused: {
    email: "Das ist keine E-Mail-Adresse.",
    url: "Das ist keine Adresse einer Webseite: Sie beginnt mit http:// oder https://.",
    number: "Das ist keine Zahl.",
    date: "Das ist kein Datum.",
    short: (most) => `Höchstens ${most} Zeichen.`,
    option: "Diese Möglichkeit gibt es nicht mehr. Wählen Sie eine andere.",
    other: "Diesen Wert lässt die Bibliothek nicht zu.",
  },
};
