/** Einstellungen zu Lesern, auf Deutsch. */

import type { kindsOfPatrons as English, ofPatrons as EnglishForms } from "./patrons-en.ts";

export const kindsOfPatrons: typeof English = {
  customFields: {
    one: "Eigenes Feld",
    many: "Eigene Felder zu Lesern",
    make: "Neues Feld",
    help: "Was diese Bibliothek von Lesern über Name, Ausweis, Kontakt und Gruppe hinaus wissen will. Die Felder stehen in dieser Reihenfolge im Formular eines Lesers.",
  },
  blockTemplates: {
    one: "Sperrvorlage",
    many: "Sperrvorlagen",
    make: "Neue Vorlage",
    help: "Sperren, die immer wieder gesetzt werden. Beim Setzen wird eine Vorlage gewählt und geändert, was diesmal anders ist.",
  },
};

export const ofPatrons: typeof EnglishForms = {
  pictures: {
    many: "Fotos von Lesern",
    help: "Ob Leser Fotos haben, die das Personal im Formular aufnimmt und bei der Ausleihe sieht. Sie werden verschlüsselt gespeichert; sind sie ausgeschaltet, wird nichts Gesandtes behalten.",
    enabled: "Leser dürfen Fotos haben",
    most: "Größtes Foto in Megabyte",
    mostHelp:
      "Die Theke schneidet Fotos quadratisch zu und verkleinert sie: Sie bleiben weit unter 1 MB. Andere Programme senden vielleicht größere.",
    tooMuch: (most) => `Mehr als 0 und höchstens ${most} Megabyte.`,
  },

  blockTemplate: {
    descriptionHelp: "Für das Personal: wann diese Vorlage die richtige ist.",
    filledIn: "Angaben zur Sperre",
    filledInHelp: "Wie lange eine Sperre gilt, wird beim Setzen gewählt.",
    why: "Weshalb",
    message: "Für den Leser",
    againstNothing: "Sagen Sie, was gesperrt ist: Ausleihe, Verlängerung, Vormerkung oder mehreres davon.",
  },

  customField: {
    type: "Art des Feldes",
    typeFixed: "Die Art bleibt, wie sie ist: Angaben von Lesern hängen an ihr.",
    types: {
      TEXTBOX_SHORT: "Text, bis 150 Zeichen",
      TEXTBOX_LONG: "Langer Text, bis 1500 Zeichen",
      SINGLE_SELECT_DROPDOWN: "Eines aus einer Liste",
      MULTI_SELECT_DROPDOWN: "Mehrere aus einer Liste",
      RADIO_BUTTON: "Eines von bis zu fünf, alle sichtbar",
      SINGLE_CHECKBOX: "Ja oder nein",
      DATE_PICKER: "Datum",
    },
    format: "Format",
    formatFixed: "Das Format bleibt, wie es ist: Angaben von Lesern hängen an ihm.",
    formats: { TEXT: "Beliebiger Text", EMAIL: "E-Mail", URL: "Adresse einer Webseite", NUMBER: "Zahl" },
    help: "Hilfe",
    helpHelp: "Steht unter dem Feld. Bis 100 Zeichen.",
    visible: "Im Formular und auf der Seite eines Lesers zu sehen",
    required: "Pflichtfeld",
    repeatable: "Mehrere Angaben möglich",
    ticked: "Bei neuen Lesern angekreuzt",
    options: "Auswahl",
    addOption: "Möglichkeit hinzufügen",
    option: (number) => `Möglichkeit ${number}`,
    value: "Name",
    isDefault: "Bei neuen Lesern gewählt",
    sorting: "Reihenfolge der Auswahl",
    sortings: { CUSTOM: "Wie hier geschrieben", ASC: "Von A bis Z", DESC: "Von Z bis A" },
    up: (name) => `Nach oben: ${name}`,
    down: (name) => `Nach unten: ${name}`,
    moved: (name, place) => `${name} steht jetzt an Stelle ${place}.`,
    isRequired: "Pflichtfeld",
    isHidden: "nicht zu sehen",
    values: (count) =>
      count === 0
        ? "Kein Leser hat hier etwas stehen."
        : count === 1
          ? "Bei 1 Leser steht hier etwas. Es geht mit dem Feld verloren und ist nicht wiederzubringen."
          : `Bei ${count} Lesern steht hier etwas. Es geht mit dem Feld verloren und ist nicht wiederzubringen.`,
    counting: "Es wird gezählt, bei wie vielen Lesern hier etwas steht …",
    optionGone: (option, count, instead) =>
      `„${option}“ fällt beim Speichern weg. ${count === 1 ? "1 Leser hat" : `${count} Leser haben`} es gewählt; ${
        instead === "" ? "danach ist dort nichts gewählt" : `danach gilt „${instead}“`
      }, wo sonst nichts gewählt ist.`,
    problems: {
      name: "Höchstens 65 Zeichen.",
      help: "Höchstens 100 Zeichen.",
      count: (most) => `Es muss mindestens eine und darf höchstens ${most} Möglichkeiten geben.`,
      option: "Eine Möglichkeit braucht einen Namen mit höchstens 100 Zeichen.",
      twice: "Zwei Möglichkeiten heißen gleich.",
      defaults: "Nur eine Möglichkeit kann bei neuen Lesern gewählt sein.",
    },
  },
};
