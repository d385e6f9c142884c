/** Die Wörter für Verknüpfungen zwischen Titeln, für Bände mit mehreren Titeln, und für Kopieren und Löschen, auf Deutsch. */

import type { LinkedWords } from "./linked-en.ts";

export const de: LinkedWords = {
  related: "Verknüpfte Titel",
  add: {
    precedingTitles: "Vorgänger hinzufügen",
    succeedingTitles: "Nachfolger hinzufügen",
    parentInstances: "Übergeordneten Titel hinzufügen",
    childInstances: "Untergeordneten Titel hinzufügen",
  },
  addOther: {
    precedingTitles: "Vorgänger hinzufügen, der nicht im Katalog ist",
    succeedingTitles: "Nachfolger hinzufügen, der nicht im Katalog ist",
  },
  find: "Titel",
  submit: "Hinzufügen",
  whichTitle: "Sagen Sie, welcher Titel.",
  title: "Titel",
  notHere: "nicht im Katalog",
  showAll: (all) => `Alle ${all} zeigen`,
  boundWith: {
    title: "Zusammengebunden mit",
    help: "Dieser Band enthält mehrere Titel. Er wird als ein Exemplar ausgeliehen und aufgestellt.",
    bind: "Mit einem anderen Titel zusammenbinden",
    toTitle: "Titel, der auch in diesem Band ist",
    submit: "Zusammenbinden",
    own: "eigener Bestand",
    bound: (title) => `Zusammengebunden mit: ${title}`,
    unbind: "Aus diesem Band entfernen",
    unbindTitle: (title) => `„${title}“ aus diesem Band entfernen?`,
    unbindHelp: "Der Bestand bleibt. Nur das Exemplar wird dort nicht mehr aufgeführt.",
    unbound: (title) => `Aus dem Band entfernt: ${title}`,
    in: (title) => `beigebunden in: ${title}`,
    with: (titles) => `zusammengebunden mit: ${titles}`,
    alreadyIn: "Dieser Bestand ist schon in diesem Band.",
  },
  more: "Mehr",
  moreOf: (what) => `Mehr: ${what}`,
  saveAndHoldings: "Speichern und Bestand hinzufügen",
  saveAndCopies: "Speichern und Exemplare hinzufügen",
  duplicate: "Duplizieren",
  copied:
    "Ausgefüllt nach einem anderen Datensatz, ohne dessen Mediennummer, HRID und Verknüpfungen mit anderen Titeln.",
  remove: {
    button: "Löschen",
    titles: {
      title: (name) => `Den Titel „${name}“ löschen?`,
      holdings: (name) => `Den Bestand „${name}“ löschen?`,
      item: (name) => `Das Exemplar ${name} löschen?`,
    },
    help: "Das Löschen ist endgültig und lässt sich nicht rückgängig machen.",
    done: (name) => `Gelöscht: ${name}`,
    needed: {
      holdings_record: "Es gibt noch Bestände. Löschen Sie sie zuerst, oder hängen Sie sie an einen anderen Titel.",
      item: "Es gibt noch Exemplare. Löschen Sie sie zuerst, oder hängen Sie sie an einen anderen Bestand.",
      bound_with_part: "Er ist mit anderen Titeln zusammengebunden. Entfernen Sie sie zuerst aus dem Band.",
      instance_relationship:
        "Er ist mit einem über- oder untergeordneten Titel verknüpft. Entfernen Sie zuerst die Verknüpfung (Titel bearbeiten).",
      preceding_succeeding_title:
        "Er ist mit einem Vorgänger oder Nachfolger verknüpft. Entfernen Sie zuerst die Verknüpfung (Titel bearbeiten).",
    },
    neededElse: (table) => `Etwas anderes verweist noch darauf (${table}).`,
    lent: "Es ist ausgeliehen. Buchen Sie es zuerst zurück.",
    status: (status) => `Der Status ist „${status}“: Jemand hat es, erwartet es oder wartet darauf.`,
    requested: (requests) =>
      requests === 1
        ? "Eine offene Vormerkung besteht. Stornieren oder verschieben Sie sie zuerst."
        : `${requests} offene Vormerkungen bestehen. Stornieren oder verschieben Sie sie zuerst.`,
  },
  marc: {
    edit: "MARC bearbeiten",
    view: "MARC ansehen",
    derive: "Neuen MARC-Satz ableiten",
    holdings: "MARC-Bestand anlegen",
  },
  mark: {
    button: "Zum Löschen vormerken",
    title: (name) => `„${name}“ zum Löschen vormerken?`,
    help: "Der Titel wird im Discovery und für das Personal unterdrückt, und sein MARC-Satz, wenn es einen gibt, als gelöscht gekennzeichnet. Entfernt wird nichts. Zurücknehmen lässt es sich unter „Titel bearbeiten“, wo beide Haken stehen.",
    done: (name) => `Zum Löschen vorgemerkt: ${name}`,
  },
};
