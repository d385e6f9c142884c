import type { OverrideWords } from "./en.ts";

export const de: OverrideWords = {
  open: "Für diesen Besuch aufheben",
  title: (name) => `Sperren aufheben für den Besuch von ${name}`,
  help: "Einmal gesagt, gilt es bis zum Ende des Besuchs oder bis Sie es beenden. Was nur deswegen abgewiesen wird, geht mit Ihrer Begründung noch einmal hinaus; der Server entscheidet jedes Mal und hält die Begründung bei der Ausleihe fest.",
  what: "Was aufgehoben wird",
  blocks: {
    patronBlock: "Sperren und Grenzen des Lesers",
    itemLimitBlock: "Grenzen der Ausleihrichtlinie: so viel wie erlaubt ist schon ausgeliehen",
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
  due: "Leihfrist, wo es keine gibt",
  chooseOne: "Mindestens eines ankreuzen.",
  start: "Aufheben",
  bar: (name, blocks) => `Aufgehoben für den Besuch von ${name}: ${blocks}.`,
  reason: (comment) => `Begründung: ${comment}`,
  end: "Nicht mehr aufheben",
  ended: "Es ist nichts mehr aufgehoben.",
};
