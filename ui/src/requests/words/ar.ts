import { t } from "../../words/isolate.ts";
import type { RequestWords } from "./en.ts";

export const ar: RequestWords = {
  title: (type, title) => t`${type}: ${title}`,
  facts: {
    status: "الحالة",
    position: "الترتيب في قائمة الانتظار",
    level: "مستوى الطلب",
    patron: "المستعير",
    group: "الفئة",
    proxy: "قدَّمه الوكيل",
    wanted: "العنوان",
    item: "النسخة",
    pickup: "نقطة خدمة الاستلام",
    delivery: "التوصيل إلى",
    requested: "تاريخ الطلب",
    until: "تاريخ انتهاء الطلب",
    kept: "على رف الحجز حتى",
    comments: "تعليق المستعير",
    tags: "الوسوم",
    cancelled: "أُلغي",
  },
  levels: { Item: "هذه النسخة", Title: "أي نسخة من العنوان" },
  positionOf: (position) => `الترتيب ${position}`,
  commentsStay: "لا يسمح FOLIO لأحد بتغيير ما كتبه المستعير.",
  wantedUntil: (day) => `ينتهي الطلب في ${day}`,
  delivered: "للتوصيل",
  keys: "المفتاح Alt مع سهم إلى أعلى أو أسفل ينقل الصف الذي أنت فيه، ومع Home إلى أول القائمة، ومع End إلى آخرها.",
  moved: (name, position, of) => t`${name} الآن في الترتيب ${position} من ${of}`,
  staysFirst: (name) => t`لا يمكن نقل ${name} إلى هناك: الطلبات التي بدأت تلبيتها تبقى أول القائمة.`,
};
