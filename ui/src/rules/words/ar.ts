import { t } from "../../words/isolate.ts";
import type { RulesWords } from "./en.ts";

export const ar: RulesWords = {
  names: "أسماء تصلح هنا",
  namesHelp: "بعد حرف ومسافة تُقترح الأسماء المناسبة أثناء الكتابة: مفاتيح الأسهم ثم Enter.",
  unknown: (names) =>
    t`لا شيء هنا اسمه ${names.map((name) => `«${name}»`).join("، ")}، أو له أكثر من واحد: اختر من القائمة، أو اكتب معرِّفه.`,
  tried: {
    title: "إعارات كانت ستختلف",
    days: "إعارات الأيام الأخيرة",
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
      lineBefore: "السطر الآن",
      lineAfter: "السطر بعدها",
      policyBefore: "السياسة الآن",
      policyAfter: "السياسة بعدها",
      dueBefore: "الاستحقاق الآن",
      dueAfter: "الاستحقاق بعدها",
    },
  },
};
