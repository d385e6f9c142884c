/** الأسماء المعدودة: لكلٍّ منها ست صيغ بحسب العدد. */

import { type AllPluralForms, pluralizer } from "./counting.ts";

export const counted = pluralizer("ar-u-nu-latn");

/**
 * Makes the plural forms of an Arabic noun from the form for none, the singular, the dual, the plural for 3 to 10, the
 * accusative singular for 11 to 99, and the genitive singular for hundreds.
 */
function noun(none: string, one: string, two: string, few: string, many: string, other: string): AllPluralForms {
  return { zero: none, one, two, few: `{} ${few}`, many: `{} ${many}`, other: `{} ${other}` };
}

const items = noun("لا مواد", "مادة واحدة", "مادتان", "مواد", "مادة", "مادة");
const copies = noun("لا نسخ", "نسخة واحدة", "نسختان", "نسخ", "نسخة", "نسخة");
const titles = noun("لا عناوين", "عنوان واحد", "عنوانان", "عناوين", "عنوانًا", "عنوان");
const holdings = noun(
  "لا سجلات مقتنيات",
  "سجل مقتنيات واحد",
  "سجلا مقتنيات",
  "سجلات مقتنيات",
  "سجل مقتنيات",
  "سجل مقتنيات",
);
const records = noun("لا سجلات", "سجل واحد", "سجلان", "سجلات", "سجلًا", "سجل");
const lines = noun("لا أسطر", "سطر واحد", "سطران", "أسطر", "سطرًا", "سطر");
const payments = noun("لا دفعات", "دفعة واحدة", "دفعتان", "دفعات", "دفعة", "دفعة");
const labels = noun("لا ملصقات", "ملصق واحد", "ملصقان", "ملصقات", "ملصقًا", "ملصق");
const patrons = noun("لا مستعيرين", "مستعير واحد", "مستعيران", "مستعيرين", "مستعيرًا", "مستعير");
const settings = noun("لا إعدادات", "إعداد واحد", "إعدادان", "إعدادات", "إعدادًا", "إعداد");
const notices = noun("بلا إشعارات", "إشعار واحد", "إشعاران", "إشعارات", "إشعارًا", "إشعار");
const terms = noun("لا فترات", "فترة واحدة", "فترتان", "فترات", "فترة", "فترة");
const days = noun("لا أيام", "يوم واحد", "يومان", "أيام", "يومًا", "يوم");
const times = noun("ولا مرة", "مرة واحدة", "مرتان", "مرات", "مرة", "مرة");
const permissions = noun("لا صلاحيات", "صلاحية واحدة", "صلاحيتان", "صلاحيات", "صلاحية", "صلاحية");
const loans = noun("لا إعارات", "إعارة واحدة", "إعارتان", "إعارات", "إعارة", "إعارة");
const requests = noun("لا طلبات", "طلب واحد", "طلبان", "طلبات", "طلبًا", "طلب");
const fees = noun("لا رسوم", "رسم واحد", "رسمان", "رسوم", "رسمًا", "رسم");
const proxies = noun("لا وكالات", "وكالة واحدة", "وكالتان", "وكالات", "وكالة", "وكالة");
const blocks = noun("لا حظر", "حظر واحد", "حظران", "حالات حظر", "حالة حظر", "حالة حظر");
const seconds = noun("الآن", "ثانية واحدة", "ثانيتين", "ثوانٍ", "ثانية", "ثانية");

export const nouns = {
  items,
  copies,
  titles,
  holdings,
  records,
  lines,
  payments,
  labels,
  patrons,
  settings,
  notices,
  terms,
  days,
  times,
  permissions,
  loans,
  requests,
  fees,
  proxies,
  blocks,
  seconds,
};
