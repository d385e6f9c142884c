import type { PartnerWords } from "./en.ts";

export const de: PartnerWords = {
  title: "Partnerbibliotheken",
  none: "An diesen Tagen hat kein Vorgang einen neuen Status bekommen.",
  again: "Neu laden",
  firstOnly: (most, total) =>
    `Das sind ${most} von ${total} Änderungen. Mit weniger Tagen werden auch die übrigen sichtbar.`,
  columns: {
    title: "Titel",
    item: "Exemplar",
    patron: "Leser",
    role: "Rolle",
    status: "Status",
    pickup: "Abholung",
    lender: "Verleihende Bibliothek",
  },
  filters: { title: "Filter", from: "Von", to: "Bis", any: "Alle" },
  detail: {
    title: "Vorgang",
    history: "Status an diesen Tagen",
    next: "Als Nächstes",
    ended: "Er ist beendet.",
    materialType: "Materialtyp",
    group: "Benutzergruppe",
  },
  by: { desk: "durch unsere Theke", hub: "durch die Zentrale" },
  cancel: {
    act: "Vorgang stornieren",
    title: "Diesen Vorgang stornieren?",
    what: "Die Vormerkung des Exemplars wird hier storniert, und die Zentrale erfährt davon. Das lässt sich nicht rückgängig machen.",
    close: "Schließen",
  },
  roles: {
    LENDER: "Wir verleihen",
    BORROWER: "Wir leihen aus",
    PICKUP: "Andere holen hier ab",
    "BORROWING-PICKUP": "Wir leihen aus, Abholung hier",
  },
  statuses: {
    CREATED: "Angelegt",
    OPEN: "Offen",
    AWAITING_PICKUP: "Zur Abholung bereit",
    ITEM_CHECKED_OUT: "Ausgeliehen",
    ITEM_CHECKED_IN: "Zurückgegeben",
    CLOSED: "Beendet",
    CANCELLED: "Storniert",
  },
};
