import { t } from "../../words/isolate.ts";
import { counted, nouns } from "../../words/nouns-ar.ts";
import type { BatchWords } from "./en.ts";

export const ar: BatchWords = {
  many: "مواد كثيرة دفعة واحدة",
  outTitle: "إعارة مواد كثيرة",
  inTitle: "إرجاع مواد كثيرة",
  label: "أرقام الباركود",
  help: "الصقها، واحدًا في كل سطر؛ ومن الجدول يُحتسب العمود الأول. تُرسَل بترتيبها كما لو مُسحت.",
  file: "أو من ملف",
  send: (count) => `إرسال ${count}`,
  most: (most, count) => `عددها ${count}، ولا يُرسَل دفعة واحدة أكثر من ${most}. أرسل الباقي بعد ذلك.`,
  refused: "حفظ المرفوض بصيغة CSV",
  refusedFile: "المرفوض",
  barcode: "الباركود",
  reason: "السبب",
  summary: "وجهات المواد المُعادة",
  shelf: "إلى الرف",
  hold: "إلى رف الحجز",
  delivery: "للتوصيل",
  transit: (name) => t`في الطريق إلى ${name}`,
  items: (count) => counted(count, nouns.items),
  print: "طباعة الكل",
};
