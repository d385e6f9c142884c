import type { FinderWords } from "./en.ts";

export const de: FinderWords = {
  title: "Alles durchsuchen",
  label: "Ausweis, Mediennummer, Name, Titel, Einstellung oder Seite",
  help: "Pfeiltasten wählen, Eingabe öffnet, Escape schließt.",
  none: (text) => `Nichts gefunden zu „${text}“.`,
  looking: "Wird gesucht",
  found: (count) => `${count} gefunden`,
  kinds: { page: "Seite", setting: "Einstellung", patron: "Person", title: "Titel", request: "Vormerkung" },
  failed: (kinds) => `Nicht alles konnte durchsucht werden: ${kinds}.`,
};
