import { pluralizer } from "../../words/counting.ts";
import type { HeadingWords } from "./en.ts";

const counted = pluralizer("de");

export const de: HeadingWords = {
  title: "Normdaten",
  tabs: "Wege zu einem Normsatz",
  searchTab: "Suchen",
  browse: "Sucheinstiege durchblättern",
  beginAt: "Beginnen bei",
  beginAtHelp: "Ein Sucheinstieg oder dessen Anfang.",
  search: "Sucheinstieg oder Nummer",
  help: "Wörter eines Sucheinstiegs oder die Nummer des Normsatzes.",
  make: "Neuer Normsatz",
  none: "Kein Normsatz passt.",
  any: "Alle",
  filters: "Filter",
  references: "Auch Siehe- und Siehe-auch-Verweisungen",
  firstOnly: (most, total) =>
    `Das sind die ersten ${most} von ${total}. Die Suche eingrenzen, um die anderen zu sehen.`,
  columns: {
    heading: "Sucheinstieg",
    kind: "Art des Sucheinstiegs",
    reference: "Art des Eintrags",
    titles: "Verknüpfte Titel",
    file: "Normdatei",
    number: "Nummer",
  },
  kinds: {
    "Personal Name": "Person",
    "Corporate Name": "Körperschaft",
    "Conference Name": "Konferenz",
    "Uniform Title": "Einheitstitel",
    Topical: "Sachschlagwort",
    "Geographic Name": "Geografikum",
    Genre: "Gattung oder Form",
    Other: "Sonstiges",
  },
  referenceTypes: {
    Authorized: "Sucheinstieg",
    Reference: "Siehe-Verweisung",
    "Auth/Ref": "Siehe-auch-Verweisung",
  },
  edit: "Bearbeiten",
  plain: "MARC ansehen",
  from: "Verweisungen von",
  also: "Siehe auch",
  notes: "Notizen",
  titles: "Verknüpfte Titel",
  titlesOf: (count) => counted(count, { one: "{} verknüpfter Titel", other: "{} verknüpfte Titel" }),
  noTitles: "Kein Titel ist mit diesem Normsatz verknüpft.",
  remove: {
    button: "Löschen",
    title: "Diesen Normsatz löschen?",
    submit: "Löschen",
    done: "Der Normsatz ist gelöscht.",
    follows: (count) =>
      counted(count, {
        one: "{} Titel ist mit ihm verknüpft. Sein Sucheinstieg bleibt, wie er ist, wird aber nicht mehr von einem Normsatz bestimmt.",
        other:
          "{} Titel sind mit ihm verknüpft. Ihre Sucheinstiege bleiben, wie sie sind, werden aber nicht mehr von einem Normsatz bestimmt.",
      }),
    nothingFollows: "Kein Titel ist mit ihm verknüpft.",
  },
  changes: {
    title: "Änderungen von Sucheinstiegen",
    help: "Die letzten 90 Tage, das Neueste zuerst. Jede Änderung wird automatisch in alle verknüpften Titel übernommen.",
    none: "Nichts wurde geändert.",
    becomes: "wird",
    actions: {
      UPDATE_HEADING: "Sucheinstieg geändert",
      UPDATE_NATURAL_ID: "Nummer geändert",
      DELETE: "Normsatz gelöscht",
    },
    progress: (done, total) =>
      counted(total, { one: `${done} von {} Titel fertig`, other: `${done} von {} Titeln fertig` }),
    failed: (count) =>
      counted(count, {
        one: "{} Titel konnte nicht geändert werden.",
        other: "{} Titel konnten nicht geändert werden.",
      }),
  },
};
