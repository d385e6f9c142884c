import { pluralizer } from "../../words/counting.ts";
import { t } from "../../words/isolate.ts";
import type { HeadingWords } from "./en.ts";

const counted = pluralizer("ar");

export const ar: HeadingWords = {
  title: "السجلات الاستنادية",
  tabs: "طرق العثور على سجل استنادي",
  searchTab: "بحث",
  browse: "تصفح المداخل",
  beginAt: "ابدأ من",
  beginAtHelp: "مدخل أو بدايته.",
  search: "المدخل أو الرقم",
  help: "كلمات من المدخل أو رقم السجل الاستنادي.",
  make: "سجل استنادي جديد",
  none: "لا يوجد سجل استنادي مطابق.",
  any: "الكل",
  filters: "المرشحات",
  references: "مع إحالات «انظر» و«انظر أيضًا»",
  firstOnly: (most, total) => t`هذه أول ${most} من ${total}. ضيّق البحث لرؤية الباقي.`,
  columns: {
    heading: "المدخل",
    kind: "نوع المدخل",
    reference: "مدخل أو إحالة",
    titles: "العناوين المرتبطة",
    file: "الملف الاستنادي",
    number: "الرقم",
  },
  kinds: {
    "Personal Name": "شخص",
    "Corporate Name": "هيئة",
    "Conference Name": "مؤتمر",
    "Uniform Title": "عنوان موحد",
    Topical: "موضوع",
    "Geographic Name": "مكان",
    Genre: "نوع أو شكل",
    Other: "غير ذلك",
  },
  referenceTypes: {
    Authorized: "مدخل",
    Reference: "إحالة «انظر»",
    "Auth/Ref": "إحالة «انظر أيضًا»",
  },
  edit: "تحرير",
  plain: "عرض MARC",
  from: "إحالات إليه",
  also: "انظر أيضًا",
  notes: "ملاحظات",
  titles: "العناوين المرتبطة",
  titlesOf: (count) =>
    counted(count, {
      zero: "لا عناوين مرتبطة",
      one: "عنوان مرتبط واحد",
      two: "عنوانان مرتبطان",
      few: "{} عناوين مرتبطة",
      many: "{} عنوانًا مرتبطًا",
      other: "{} عنوان مرتبط",
    }),
  noTitles: "لا عنوان مرتبط بهذا السجل الاستنادي.",
  remove: {
    button: "حذف",
    title: "حذف هذا السجل الاستنادي؟",
    submit: "حذف",
    done: "حُذف السجل الاستنادي.",
    follows: (count) =>
      counted(count, {
        zero: "لا عنوان مرتبط به.",
        one: "عنوان واحد مرتبط به. يبقى مدخله كما هو، لكن لا يضبطه بعدها سجل استنادي.",
        two: "عنوانان مرتبطان به. يبقى مدخلاهما كما هما، لكن لا يضبطهما بعدها سجل استنادي.",
        few: "{} عناوين مرتبطة به. تبقى مداخلها كما هي، لكن لا يضبطها بعدها سجل استنادي.",
        many: "{} عنوانًا مرتبطًا به. تبقى مداخلها كما هي، لكن لا يضبطها بعدها سجل استنادي.",
        other: "{} عنوان مرتبط به. تبقى مداخلها كما هي، لكن لا يضبطها بعدها سجل استنادي.",
      }),
    nothingFollows: "لا عنوان مرتبط به.",
  },
  changes: {
    title: "تعديلات المداخل",
    help: "آخر 90 يومًا، والأحدث أولًا. يُجرى كل تعديل تلقائيًا في جميع العناوين المرتبطة.",
    none: "لم يُعدَّل شيء.",
    becomes: "يصبح",
    actions: {
      UPDATE_HEADING: "عُدّل المدخل",
      UPDATE_NATURAL_ID: "عُدّل الرقم",
      DELETE: "حُذف السجل الاستنادي",
    },
    progress: (done, total) =>
      counted(total, {
        zero: "لا عناوين",
        one: t`أُنجز ${done} من عنوان واحد`,
        two: t`أُنجز ${done} من عنوانين`,
        few: t`أُنجز ${done} من {} عناوين`,
        many: t`أُنجز ${done} من {} عنوانًا`,
        other: t`أُنجز ${done} من {} عنوان`,
      }),
    failed: (count) =>
      counted(count, {
        zero: "عُدّلت جميع العناوين.",
        one: "تعذّر تعديل عنوان واحد.",
        two: "تعذّر تعديل عنوانين.",
        few: "تعذّر تعديل {} عناوين.",
        many: "تعذّر تعديل {} عنوانًا.",
        other: "تعذّر تعديل {} عنوان.",
      }),
  },
};
