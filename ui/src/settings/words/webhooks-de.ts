/** Webhooks und was ihnen gesendet wurde, auf Deutsch. */

import type { webhook as English, kindOfWebhooks as EnglishKind } from "./webhooks-en.ts";

export const kindOfWebhooks: typeof EnglishKind = {
  webhooks: {
    one: "Webhook",
    many: "Webhooks",
    make: "Neuer Webhook",
    help: "Adressen anderer Programme, die über Ereignisse an der Theke benachrichtigt werden.",
  },
};

export const webhook: typeof English = {
  url: "Adresse",
  urlHelp: "Etwa https://example.org/hook. Ereignisse werden als JSON dorthin gesendet.",
  active: "Ereignisse werden gesendet",
  types: "Ereignisarten",
  typesHelp: "Ist nichts gewählt, alles.",
  typeNames: {
    ITEM_CHECKED_OUT: "Exemplar ausgeliehen",
    LOAN_DUE_DATE_CHANGED: "Fälligkeit geändert",
    ITEM_CHECKED_IN: "Exemplar zurückgegeben",
    LOAN_CLOSED: "Ausleihe ohne Rückgabe beendet",
    ITEM_CLAIMED_RETURNED: "Angeblich zurückgegeben",
    ITEM_DECLARED_LOST: "Als verloren gemeldet",
    ITEM_AGED_TO_LOST: "Gilt als verloren",
    FEE_FINE_BALANCE_CHANGED: "Offener Betrag einer Gebühr geändert",
    LOAN_RELATED_FEE_FINE_CLOSED: "Gebühr einer Ausleihe beglichen",
  },
  secret: "Geheimnis",
  secretHelp: "Damit prüft der Empfänger, dass Ereignisse von hier kommen. Ohne Geheimnis wird nichts gesendet.",
  newSecret: "Neues Geheimnis erzeugen",
  secretOnce: "Es wird nur dieses eine Mal gezeigt:",
  delivery: "Zustellung",
  sent: (count) => `Gesendet: ${count}.`,
  waiting: (count) => `Wartend: ${count}.`,
  lost: (count) => `Entfernt, bevor sie gesendet werden konnten: ${count}.`,
  failed: (count) => `Die letzten Versuche sind gescheitert (${count}).`,
  next: (when) => `Nächster Versuch: ${when}`,
  sendNow: "Jetzt versuchen",
  refused: "Abgelehnte Ereignisse",
  refusedHelp: (count) => `Der Empfänger wollte diese nicht, obwohl sie sechsmal angeboten wurden: ${count}.`,
  sendAgain: "Noch einmal senden",
  remove: "Entfernen",
};
