import { t } from "../../words/isolate.ts";
import type { ScanningWords } from "./en.ts";

export const ar: ScanningWords = {
  outTo: (name, due) => t`مُعارة إلى ${name}، الاستحقاق ${due}`,
  notLentTo: (name) => t`لم تُعَر إلى ${name}`,
  remedies: {
    open: "ما الذي يتيح له الاستعارة؟",
    title: (name) => t`ما الذي يتيح الاستعارة للمستعير ${name}؟`,
    nothing: "لا شيء يمنع هذا المستعير. ما لا يزال مرفوضًا فسببه المادة.",
    expired: (date) => `انتهت عضويته في ${date}.`,
    inactive: "حسابه غير نشط.",
    setActive: "تنشيط",
    block: (message) => t`حظره الموظفون: ${message}`,
    lift: "رفع هذا الحظر",
    limit: (message) => t`بلغ حدًّا: ${message}`,
    loanLimit: (message) => t`بلغ حد سياسة الإعارة: ${message}`,
    owes: (amount) => `عليه: ${amount}`,
    pay: (amount) => `استلام ${amount}`,
    checkIn: (title) => t`إرجاع: ${title}`,
    back: "إن أحضرها فأرجعها",
    overdue: (due) => `كان موعدها ${due}`,
    override: "تجاوز ما رُفض",
    overrideTitle: "هل يُعار ما رُفض رغم ذلك؟",
    notPermitted: "لا يحق لحسابك تغيير هذا. يستطيعه من له التجديد أو رفع الحظر أو التجاوز أو استلام الدفعات.",
    again: "محاولة ما رُفض مجددًا",
  },
};
