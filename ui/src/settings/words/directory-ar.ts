/** إعدادات دليل LDAP. */

import type { directory as English } from "./directory-en.ts";

export const directory: typeof English = {
  many: "دليل LDAP",
  help: "يدخل الموظفون والمستعيرون باسم المستخدم وكلمة المرور التي يحفظها دليل مؤسستك. ومن له كلمة مرور هنا يبقى يدخل بها.",
  active: "الدليل يتحقق من كلمات المرور",
  server: "الدليل",
  url: "العنوان",
  urlHelp: "مثل ldaps://ldap.example.org، أو ldap://ldap.example.org الذي يُشفَّر بـ StartTLS.",
  unencrypted: "بلا تشفير: يمكن قراءة كلمات المرور في الطريق",
  authorities: "سلطات الشهادات",
  authoritiesHelp: "بصيغة PEM. ومن دونها يوثق بما في نظام تشغيل الخادم.",
  person: "مطابقة المستخدم",
  field: "حقل المستخدم",
  fieldHelp: "قيمته تحل محل {value} أدناه. ولا يجوز أن تكون لمستخدم آخر.",
  userDn: "اسم المدخل (DN)",
  userDnHelp: "مثل uid={value},ou=people,dc=example,dc=org. اتركه فارغًا ليُبحث عن المدخل.",
  searchBase: "البحث تحت",
  searchBaseHelp: "مثل ou=people,dc=example,dc=org.",
  searchFilter: "المرشِّح",
  searchFilterHelp: "مثل (uid={value}). يجب أن يجد مدخلًا واحدًا لا غير.",
  bindDn: "الحساب الذي يبحث (DN)",
  bindDnHelp: "من دونه يكون البحث مجهول الهوية.",
  bindPassword: "كلمة مرور الحساب",
};
