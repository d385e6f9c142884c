import { t } from "../../../words/isolate.ts";
import type { OverrideWords } from "./en.ts";

export const ar: OverrideWords = {
  open: "تجاوز لهذه الزيارة",
  title: (name) => t`تجاوز لزيارة ${name}`,
  help: "يسري التجاوز حتى تنتهي الزيارة أو تنهيه أنت. ما يُرفض لهذه الأسباب وحدها يُعار مجددًا مع سببك؛ يقرر الخادم كل مرة ويحفظ السبب مع الإعارة.",
  what: "أنواع الحظر المراد تجاوزها",
  blocks: {
    patronBlock: "حظر المستعير وحدوده",
    itemLimitBlock: "حدود عدد المواد في سياسة الإعارة",
    itemNotLoanableBlock: "مواد غير قابلة للإعارة",
    renewalBlock: "تجديدات نفد عددها، أو مواد مطلوب استردادها أو ضائعة أو احتُسبت رسومها",
    renewalDueDateRequiredBlock: "تجديدات لا تسمح بها سياسة الإعارة",
  },
  short: {
    patronBlock: "حظر المستعير",
    itemLimitBlock: "حدود العدد",
    itemNotLoanableBlock: "غير قابلة للإعارة",
    renewalBlock: "موانع التجديد",
    renewalDueDateRequiredBlock: "تجديدات غير مسموح بها",
  },
  due: "تاريخ الاستحقاق للمواد غير القابلة للإعارة",
  chooseOne: "أشِّر على واحد على الأقل.",
  start: "تجاوز",
  bar: (name, blocks) => t`تجاوز لزيارة ${name}: ${blocks}.`,
  reason: (comment) => t`السبب: ${comment}`,
  end: "إنهاء التجاوز",
  ended: "لم يعد شيء متجاوَزًا.",
};
