import type { ScanningWords } from "./en.ts";

export const de: ScanningWords = {
  outTo: (name, due) => `Entliehen an ${name}, fällig ${due}`,
  notLentTo: (name) => `Nicht ausgeliehen an ${name}`,
  remedies: {
    open: "Warum kann dieser Leser nicht ausleihen?",
    title: (name) => `Warum kann ${name} nicht ausleihen?`,
    nothing: "Dieser Leser hat keine Sperren. Was noch abgelehnt wird, liegt am Exemplar.",
    expired: (date) => `Der Ausweis ist am ${date} abgelaufen.`,
    inactive: "Das Konto ist auf inaktiv gesetzt.",
    setActive: "Auf aktiv setzen",
    block: (message) => `Manuelle Sperre: ${message}`,
    lift: "Diese Sperre aufheben",
    limit: (message) => `Eine Grenze ist erreicht: ${message}`,
    loanLimit: (message) => `Die Grenze der Ausleihrichtlinie ist erreicht: ${message}`,
    owes: (amount) => `Offene Gebühren: ${amount}`,
    pay: (amount) => `Zahlung von ${amount} annehmen`,
    checkIn: (title) => `Zurückbuchen: ${title}`,
    back: "Falls der Leser es zurückgegeben hat: zurückbuchen",
    overdue: (due) => `war fällig ${due}`,
    override: "Für das Abgelehnte übergehen",
    overrideTitle: "Das Abgelehnte trotzdem ausleihen?",
    notPermitted:
      "Ihr Konto darf daran nichts ändern. Wer verlängern, Sperren aufheben, übergehen oder kassieren darf, kann es.",
    again: "Das Abgelehnte noch einmal versuchen",
  },
};
