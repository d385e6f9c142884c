/** إعدادات الدخول عبر المؤسسة. */

import { t } from "../../words/isolate.ts";
import type { signOn as English } from "./sign-on-en.ts";

export const signOn: typeof English = {
  many: "الدخول عبر المؤسسة",
  help: "يدخل الموظفون والمستعيرون عبر خدمة دخول في مؤسستك (OpenID Connect) بدل كلمة مرور تُحفظ هنا.",
  active: "للناس أن يدخلوا من هناك",
  service: "خدمة الدخول",
  issuer: "عنوان جهة الإصدار",
  issuerHelp: "مثل https://login.example.org. وتُقرأ بقية الإعدادات من هناك (OpenID Connect Discovery).",
  clientId: "معرِّف العميل (client ID)",
  clientIdHelp: "الاسم الذي تعرف به الخدمة هذه المكتبة.",
  clientSecret: "سر العميل (client secret)",
  secretKept: "ثمة سر محفوظ لا يُعرض أبدًا. ما تكتبه هنا يحل محله.",
  secretNone: "لا سر محفوظًا.",
  scopes: "النطاقات (scopes)",
  scopesHelp: "ما يُطلب من الخدمة أن تذكره، وبينها مسافات. منها openid.",
  redirect: "على الخدمة أن تسمح بهذا العنوان:",
  person: "مطابقة المستخدم",
  claim: "الحقل (claim)",
  claimHelp: "الحقل فيما تذكره الخدمة، مثل preferred_username أو email أو sub.",
  field: "يُقارن بـ",
  fields: {
    username: "اسم المستخدم",
    email: "البريد الإلكتروني",
    externalSystemId: "المعرِّف في نظام خارجي",
    barcode: "الباركود",
  },
  fieldHelp: "يجب أن تكون القيمة لمستخدم مفعَّل واحد لا غير. ولا يُعتد بالبريد الإلكتروني إلا إذا تحققت منه الخدمة.",
  here: "هذه المكتبة",
  buttonText: "نص الزر",
  buttonTextHelp: "من دونه يكون بلغة الواجهة.",
  publicUrl: "عنوان هذا الخادم",
  publicUrlHelp: "كما تراه المتصفحات.",
  userInterfaceUrl: "عنوان واجهة FOLIO",
  userInterfaceUrlHelp: "فقط إذا كان الدخول من هناك أيضًا.",
  wrong: (message) => t`لا يقبل الخادم هذا: ${message}`,
};
