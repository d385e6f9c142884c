import { t } from "../../words/isolate.ts";
import { counted, nouns } from "../../words/nouns-ar.ts";
import type { ReceiptWords } from "./en.ts";

export const ar: ReceiptWords = {
  renewedTitle: "المواد المجدَّدة لك",
  returnedTitle: "المواد التي أعدتها",
  returnedAt: (moment) => `أُعيدت ${moment}`,
  // Subjects leave the desk, and have no marks of direction.
  visitSubject: (library) => `زيارتك: ${library}`,
  returnedSubject: (library) => `ما أعدته: ${library}`,
  ofReturned: (name, count) => t`إيصال: ${name} (${count})`,
  pileEnded: (count) => `أُرجع: ${counted(count, nouns.items)}.`,
  renewed: (count) => `جُدِّد: ${counted(count, nouns.loans)}`,
  statement: "طباعة كشف الحساب",
  statementTitle: "كشف الرسوم والغرامات",
  statementSubject: (library) => `رسومك وغراماتك: ${library}`,
  charged: (day) => `احتُسب في ${day}`,
  of: (amount) => `من ${amount}`,
  total: (amount) => `مجموع المستحق: ${amount}`,
};
