/** خطافات الويب وما أُرسل إليها، بالعربية. */

import type { webhook as English, kindOfWebhooks as EnglishKind } from "./webhooks-en.ts";

export const kindOfWebhooks: typeof EnglishKind = {
  webhooks: {
    one: "خطاف ويب",
    many: "خطافات الويب",
    make: "خطاف ويب جديد",
    help: "عناوين برامج أخرى تُبلَّغ بالأحداث عند المكتب.",
  },
};

export const webhook: typeof English = {
  url: "العنوان",
  urlHelp: "مثل https://example.org/hook. تُرسل الأحداث إليه بصيغة JSON.",
  active: "تُرسل الأحداث",
  types: "أنواع الأحداث",
  typesHelp: "إذا لم يُختر شيء فكل شيء.",
  typeNames: {
    ITEM_CHECKED_OUT: "أُعيرت نسخة",
    LOAN_DUE_DATE_CHANGED: "تغيّر موعد الإرجاع",
    ITEM_CHECKED_IN: "أُرجعت نسخة",
    LOAN_CLOSED: "أُغلقت إعارة دون إرجاع",
    ITEM_CLAIMED_RETURNED: "ادُّعي الإرجاع",
    ITEM_DECLARED_LOST: "أُعلن الفقدان",
    ITEM_AGED_TO_LOST: "عُدّت مفقودة لطول التأخر",
    FEE_FINE_BALANCE_CHANGED: "تغيّر رصيد رسم أو غرامة",
    LOAN_RELATED_FEE_FINE_CLOSED: "سُدّد رسم متعلق بإعارة",
  },
  secret: "السر",
  secretHelp: "به يتحقق المستلم من أن الأحداث تأتي من هنا. دون سر لا يُرسل شيء.",
  newSecret: "إنشاء سر جديد",
  secretOnce: "يُعرض هذه المرة فقط:",
  delivery: "التسليم",
  sent: (count) => `أُرسل: ${count}.`,
  waiting: (count) => `في الانتظار: ${count}.`,
  lost: (count) => `حُذف قبل إرساله: ${count}.`,
  failed: (count) => `فشلت المحاولات الأخيرة (${count}).`,
  next: (when) => `المحاولة التالية: ${when}`,
  sendNow: "المحاولة الآن",
  refused: "أحداث مرفوضة",
  refusedHelp: (count) => `لم يقبلها المستلم رغم عرضها ست مرات: ${count}.`,
  sendAgain: "الإرسال مرة أخرى",
  remove: "حذف",
};
