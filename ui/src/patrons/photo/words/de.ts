/** Was das Formular eines Lesers zu seinem Foto sagt, auf Deutsch. */

import type { PhotoWords } from "./en.ts";

export const de: PhotoWords = {
  title: "Foto",
  help: "Das Personal sieht es bei der Ausleihe und auf der Seite des Lesers. Es wird verschlüsselt gespeichert.",
  take: "Foto aufnehmen",
  file: "Datei wählen",
  another: "Neu aufnehmen",
  remove: "Foto entfernen",
  removed: "Das Foto wird beim Speichern gelöscht.",
  changed: "Das neue Foto wird beim Speichern übernommen.",
  shutter: "Jetzt aufnehmen",
  use: "Dieses Foto nehmen",
  cut: "Gespeicherter Bildausschnitt",
  dragHelp: "Ziehen Sie das Bild, oder nehmen Sie die Pfeiltasten und die Regler.",
  size: "Größer",
  across: "Seitwärts",
  upright: "Auf und ab",
  sees: "Was die Kamera sieht",
  camera: {
    denied:
      "Der Browser darf die Kamera nicht benutzen. Erlauben Sie es in der Adresszeile beim Zeichen der Kamera und versuchen Sie es noch einmal; oder wählen Sie eine Datei.",
    none: "An diesem Rechner ist keine Kamera. Wählen Sie eine Datei.",
    busy: "Ein anderes Programm benutzt die Kamera. Schließen Sie es und versuchen Sie es noch einmal, oder wählen Sie eine Datei.",
    unsafe: "Browser geben ihre Kamera nur Seiten mit https-Adressen. Wählen Sie eine Datei.",
    other: "Die Kamera geht nicht. Wählen Sie eine Datei.",
  },
  again: "Noch einmal versuchen",
  noPicture: "Diese Datei ist kein Bild, das der Browser lesen kann. Nehmen Sie PNG oder JPEG.",
  tooLarge: "Diese Datei ist größer als 30 MB. Nehmen Sie eine kleinere.",
  overLimit: (megabytes) => `Die Bibliothek erlaubt Bilder bis ${megabytes} MB: dieses ist größer.`,
};
