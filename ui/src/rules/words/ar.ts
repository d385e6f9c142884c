import { t } from "../../words/isolate.ts";
import type { RulesWords } from "./en.ts";

export const ar: RulesWords = {
  names: "أسماء تصلح هنا",
  namesHelp: "بعد حرف ومسافة تُقترح الأسماء المناسبة أثناء الكتابة: مفاتيح الأسهم ثم Enter.",
  unknown: (names) =>
    t`اسم غير معروف أو مشترك: ${names.map((name) => `«${name}»`).join("، ")}. اختر اسمًا من القائمة، أو اكتب معرِّف UUID.`,
  changedMeanwhile:
    "عدَّل شخص آخر القواعد في هذه الأثناء، فلم تُحفظ قواعدك. انسخ ما كتبته، وتجاهل تعديلاتك لترى القواعد الجديدة، ثم أضف إليها تعديلاتك.",
  tried: {
    title: "إعارات بنتيجة مختلفة",
    days: "عدد الأيام الماضية",
    daysHelp: "من 1 إلى 366",
    stale: "عُدِّلت القواعد في الحقل بعد ذلك: أعد المحاكاة.",
    firstOnly: (most, of) => `يسرد الخادم ${most} من هذه الإعارات، وعددها ${of}، ويحصيها كلها.`,
    change: "التغيير",
    all: "الكل",
    file: "إعارات بقواعد أخرى",
    columns: {
      title: "العنوان",
      barcode: "الباركود",
      group: "الفئة",
      patron: "المستعير",
      loanDate: "تاريخ الإعارة",
      lineBefore: "السطر الحالي",
      lineAfter: "السطر الجديد",
      policyBefore: "السياسة الحالية",
      policyAfter: "السياسة الجديدة",
      dueBefore: "الاستحقاق الحالي",
      dueAfter: "الاستحقاق الجديد",
    },
  },
};
