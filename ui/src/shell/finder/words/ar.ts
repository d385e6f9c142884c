import { t } from "../../../words/isolate.ts";
import type { FinderWords } from "./en.ts";

export const ar: FinderWords = {
  title: "البحث في كل شيء",
  label: "بطاقة أو باركود أو اسم أو عنوان أو إعداد أو صفحة",
  help: "مفاتيح الأسهم تختار، وEnter يفتح، وEscape يغلق.",
  none: (text) => t`لم يُعثر على شيء لـ«${text}».`,
  looking: "جارٍ البحث",
  found: (count) => `عدد النتائج: ${count}`,
  kinds: { page: "صفحة", setting: "إعداد", patron: "مستعير", title: "عنوان", request: "طلب" },
  failed: (kinds) => `تعذر البحث في كل شيء: ${kinds}.`,
};
