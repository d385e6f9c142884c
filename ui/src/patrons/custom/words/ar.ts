import type { CustomWords } from "./en.ts";

export const ar: CustomWords = {
  title: "معلومات أخرى",
  yes: "نعم",
  no: "لا",
  none: "لم يُختر شيء",
  choose: "اختر من فضلك",
  chooseOne: "اختر واحدًا على الأقل.",
  lines: "واحد في كل سطر",
  number: "عدد، مثل 12 أو 3.5",
  refused: {
    email: "ليس هذا عنوان بريد إلكتروني.",
    url: "ليس هذا عنوان صفحة ويب: يبدأ العنوان بـ http:// أو https://.",
    number: "ليس هذا عددًا.",
    date: "ليس هذا تاريخًا.",
    short: (most) => `${most} من الأحرف على الأكثر.`,
    option: "لم يعد هذا الخيار موجودًا. اختر غيره.",
    other: "لا تسمح المكتبة بهذه القيمة.",
  },
};
