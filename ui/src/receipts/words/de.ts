import type { ReceiptWords } from "./en.ts";

export const de: ReceiptWords = {
  renewedTitle: "Für Sie verlängert",
  returnedTitle: "Von Ihnen zurückgegeben",
  returnedAt: (moment) => `zurückgegeben ${moment}`,
  visitSubject: (library) => `Ihr Besuch: ${library}`,
  returnedSubject: (library) => `Ihre Rückgaben: ${library}`,
  ofReturned: (name, count) => `Quittung: ${name} (${count})`,
  pileEnded: (count) => (count === 1 ? "1 Exemplar zurückgebucht." : `${count} Exemplare zurückgebucht.`),
  renewed: (count) => (count === 1 ? "1 Ausleihe verlängert" : `${count} Ausleihen verlängert`),
  statement: "Kontoauszug drucken",
  statementTitle: "Auszug der Gebühren",
  statementSubject: (library) => `Ihre Gebühren: ${library}`,
  charged: (day) => `berechnet am ${day}`,
  of: (amount) => `von ${amount}`,
  total: (amount) => `Offen insgesamt: ${amount}`,
};
