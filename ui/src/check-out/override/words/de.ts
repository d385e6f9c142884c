import type { OverrideWords } from "./en.ts";

export const de: OverrideWords = {
  open: "Für diesen Besuch aufheben",
  title: (name) => `Sperren aufheben für den Besuch von ${name}`,
  help: "Das Aufheben gilt bis zum Ende des Besuchs oder bis Sie es beenden. Was nur wegen dieser Sperren abgelehnt wird, wird mit Ihrer Begründung noch einmal ausgeliehen; der Server entscheidet jedes Mal und hält die Begründung bei der Ausleihe fest.",
  what: "Aufzuhebende Sperren",
  blocks: {
    patronBlock: "Sperren und Grenzen des Lesers",
    itemLimitBlock: "Höchstzahlen der Ausleihrichtlinie",
    itemNotLoanableBlock: "Exemplare, die nicht ausleihbar sind",
    renewalBlock: "Verlängerungen, die aufgebraucht, zurückgefordert, verloren oder gemahnt sind",
    renewalDueDateRequiredBlock: "Verlängerungen, die die Ausleihrichtlinie nicht erlaubt",
  },
  short: {
    patronBlock: "Lesersperren",
    itemLimitBlock: "Höchstzahlen",
    itemNotLoanableBlock: "nicht ausleihbar",
    renewalBlock: "Verlängerungssperren",
    renewalDueDateRequiredBlock: "nicht erlaubte Verlängerungen",
  },
  due: "Fälligkeit für nicht ausleihbare Exemplare",
  chooseOne: "Mindestens eines ankreuzen.",
  start: "Aufheben",
  bar: (name, blocks) => `Aufgehoben für den Besuch von ${name}: ${blocks}.`,
  reason: (comment) => `Begründung: ${comment}`,
  end: "Nicht mehr aufheben",
  ended: "Es ist nichts mehr aufgehoben.",
};
