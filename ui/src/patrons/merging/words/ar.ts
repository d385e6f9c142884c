import type { AllPluralForms } from "../../../words/counting.ts";
import { t } from "../../../words/isolate.ts";
import { counted, nouns } from "../../../words/nouns-ar.ts";
import type { MergeWords } from "./en.ts";

const of = (what: string, forms: AllPluralForms) => (count: number) => `${what}: ${counted(count, forms)}`;

export const ar: MergeWords = {
  do: "دمج مع سجل مكرر",
  title: (name) => t`دمج سجل آخر مع ${name}`,
  help: "تُنقل إعارات السجل المكرر وطلباته ورسومه وغراماته إلى هذا المستعير. يبقى المكرر غير نشط وبلا بطاقة، ويمكن حذفه بعد ذلك.",
  duplicate: "السجل المكرر",
  whom: "اختر السجل المكرر أولًا.",
  takeBarcode: (barcode) => t`بطاقة السجل المكرر ${barcode} تصبح بطاقة هذا المستعير من الآن`,
  moves: (name) => t`ستُنقل هذه السجلات من ${name}:`,
  movesNothing: (name) => t`ليس لدى ${name} سجلات تُنقل.`,
  counts: {
    loan: of("إعارات مع سجلها", nouns.loans),
    request: of("طلبات", nouns.requests),
    "fee/fine account": of("رسوم وغرامات", nouns.fees),
    "manual block": of("حظر يدوي", nouns.blocks),
    note: of("ملاحظات", nouns.records),
    notice: of("إشعارات", nouns.notices),
    "proxy relation": of("وكلاء وموكِّلون", nouns.proxies),
  },
  obstacles: "لا يمكن دمجهما بعد. يجب أولًا تسوية:",
  obstacle: (message, title) => (title ? t`${message}: ${title}` : message),
  submit: "دمج",
  done: (name) => t`دُمج: ${name}`,
  earlier: "عمليات دمج سابقة",
  made: (name, day) => t`${name}، في ${day}`,
  undo: "تراجع",
  undone: (name) => t`أُلغي الدمج: ${name}`,
};
