import { counted } from "../../../words/nouns-ar.ts";
import type { TableWords } from "./en.ts";

export const ar: TableWords = {
  columns: "الأعمدة",
  asUsual: "استعادة الافتراضي",
  roomy: "صفوف أعلى",
  csv: "حفظ بصيغة CSV",
  tickAll: "تأشير الكل",
  ticked: (count) => `المؤشَّر: ${count}`,
  tickNone: "إلغاء التأشير",
  rows: (count) =>
    counted(count, {
      zero: "لا صفوف",
      one: "صف واحد",
      two: "صفان",
      few: "{} صفوف",
      many: "{} صفًا",
      other: "{} صف",
    }),
  withTicked: "بالصفوف المؤشَّر عليها",
  help: "الأسهم تنتقل من صف إلى صف، والمسافة تؤشِّر، ومع Shift نطاقًا، و‪Ctrl+A‬ الكل؛ وEnter يفتح.",
};
