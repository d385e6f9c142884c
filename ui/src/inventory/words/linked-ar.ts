/** كلمات الصلات بين العناوين، والمجلدات التي تضم عدة عناوين، ونسخ السجلات وحذفها. */

import { t } from "../../words/isolate.ts";
import { counted, nouns } from "../../words/nouns-ar.ts";
import type { LinkedWords } from "./linked-en.ts";

const needed: LinkedWords["remove"]["needed"] = {
  holdings_record: "له مقتنيات بعد. احذفها أولًا، أو انقلها إلى عنوان آخر.",
  item: "توجد نسخ بعد. احذفها أولًا، أو انقلها إلى مقتنيات أخرى.",
  bound_with_part: "مجلَّد مع عناوين أخرى. أزلها من المجلد أولًا.",
  instance_relationship: "له صلة بعنوان أعلى أو أدنى. أزل الصلة أولًا (تعديل العنوان).",
  preceding_succeeding_title: "له صلة بعنوان سابق أو لاحق. أزل الصلة أولًا (تعديل العنوان).",
};

export const ar: LinkedWords = {
  related: "عناوين ذات صلة",
  add: {
    precedingTitles: "إضافة عنوان سابق",
    succeedingTitles: "إضافة عنوان لاحق",
    parentInstances: "إضافة عنوان أعلى",
    childInstances: "إضافة عنوان أدنى",
  },
  addOther: {
    precedingTitles: "إضافة عنوان سابق ليس في الفهرس",
    succeedingTitles: "إضافة عنوان لاحق ليس في الفهرس",
  },
  find: "العنوان",
  submit: "إضافة",
  whichTitle: "حدِّد العنوان.",
  title: "العنوان",
  notHere: "ليس في الفهرس",
  showAll: (all) => `عرض الكل (${all})`,
  boundWith: {
    title: "مجلَّد مع",
    help: "يضم هذا المجلد عدة عناوين. يُعار ويوضع على الرف بوصفه نسخة واحدة.",
    bind: "تجليد مع عنوان آخر",
    toTitle: "عنوان آخر في هذا المجلد",
    submit: "تجليد",
    own: "مقتنياته نفسها",
    bound: (title) => t`مجلَّد مع: ${title}`,
    unbind: "إزالة من هذا المجلد",
    unbindTitle: (title) => t`إزالة «${title}» من هذا المجلد؟`,
    unbindHelp: "تبقى مقتنياته. لا تعود النسخة مدرجة فيها فحسب.",
    unbound: (title) => t`أُزيل من المجلد: ${title}`,
    in: (title) => t`مجلَّد في: ${title}`,
    with: (titles) => t`مجلَّد مع: ${titles}`,
    alreadyIn: "هذه المقتنيات في هذا المجلد بالفعل.",
  },
  saveAndHoldings: "حفظ وإضافة مقتنيات",
  saveAndCopies: "حفظ وإضافة نسخ",
  more: "المزيد",
  moreOf: (what) => t`المزيد: ${what}`,
  duplicate: "إنشاء سجل مماثل",
  copied: "عُبِّئ من سجل آخر، دون الباركود وHRID والصلات بعناوين أخرى.",
  remove: {
    button: "حذف",
    titles: {
      title: (name) => t`حذف العنوان «${name}»؟`,
      holdings: (name) => t`حذف المقتنيات «${name}»؟`,
      item: (name) => t`حذف النسخة ${name}؟`,
    },
    help: "يُحذف نهائيًا، ولا يمكن استرجاعه.",
    done: (name) => t`حُذف: ${name}`,
    needed,
    neededElse: (table) => t`ما زال شيء آخر يشير إليه (${table}).`,
    lent: "النسخة مُعارة. أرجعها أولًا.",
    status: (status) => t`حالتها «${status}»: هي مع أحد، أو يتوقعها أحد، أو ينتظرها.`,
    requested: (requests) => `الطلبات المفتوحة عليها: ${counted(requests, nouns.requests)}. ألغِها أو انقلها أولًا.`,
  },
  marc: {
    edit: "تحرير MARC",
    view: "عرض MARC",
    derive: "اشتقاق سجل MARC جديد",
    holdings: "إضافة مقتنيات MARC",
  },
  mark: {
    button: "تعليم للحذف",
    title: (name) => t`تعليم «${name}» للحذف؟`,
    help: "يُحجب عن الاستكشاف وعن الموظفين، ويُعلَّم سجل MARC الخاص به، إن وُجد، محذوفًا. لا يُزال شيء. للرجوع عن ذلك أزل التأشيرتين في «تعديل العنوان».",
    done: (name) => t`عُلِّم للحذف: ${name}`,
  },
};
