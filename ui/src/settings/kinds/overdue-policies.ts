/** Overdue fine policies (mod-feesfines): fines for late returns, and reminder fees. */

import { valueAt } from "../draft.ts";
import type { Kind, Section, SettingRecord } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import { nameAndDescription, optionsFor, rateOptions } from "./units.ts";

const REMINDERS = "reminderFeesPolicy";
const SCHEDULE = `${REMINDERS}.reminderSchedule`;

const hasReminders = (record: SettingRecord) => ((valueAt(record, SCHEDULE) ?? []) as unknown[]).length > 0;
const hasFine = (place: string) => (record: SettingRecord) => Boolean(valueAt(record, `${place}.quantity`));
const hasAnyFine = (record: SettingRecord) => hasFine("overdueFine")(record) || hasFine("overdueRecallFine")(record);

export const overduePolicies: Kind = {
  name: "overduePolicies",
  slug: "overdue-fine-policies",
  path: "/overdue-fines-policies",
  collection: "overdueFinePolicies",
  title: "name",
  rights: "overdue-fines-policies",
  letter: "o",
  blank: { countClosed: true, forgiveOverdueFine: true, gracePeriodRecall: true },
  sections: (words) => [nameAndDescription(words), fineSection(words), recallSection(words), reminderSection(words)],
  summary: (record, words, formats) => {
    const { quantity, intervalId } = (record.overdueFine ?? {}) as SettingRecord;
    if (!quantity) return hasReminders(record) ? words.overdue.onlyReminders : words.overdue.nothing;
    return words.overdue.perUnit(formats.money(Number(quantity)), words.perUnit[intervalId as "day"] ?? "");
  },
};

const fineSection = (words: SettingsWords): Section => ({
  title: words.overdue.title,
  fields: [
    {
      is: "rate",
      at: "overdueFine",
      label: words.overdue.fine,
      help: words.overdue.fineHelp,
      units: rateOptions(words),
    },
    {
      is: "money",
      at: "maxOverdueFine",
      label: words.overdue.most,
      help: words.overdue.mostHelp,
      shows: hasFine("overdueFine"),
    },
    { is: "yes", at: "countClosed", label: words.overdue.countClosed, shows: hasAnyFine },
    { is: "yes", at: "forgiveOverdueFine", label: words.overdue.forgive, shows: hasAnyFine },
  ],
});

const recallSection = (words: SettingsWords): Section => ({
  title: words.overdue.recalled,
  fields: [
    { is: "rate", at: "overdueRecallFine", label: words.overdue.fine, units: rateOptions(words) },
    {
      is: "money",
      at: "maxOverdueRecallFine",
      label: words.overdue.most,
      help: words.overdue.mostHelp,
      shows: hasFine("overdueRecallFine"),
    },
    { is: "yes", at: "gracePeriodRecall", label: words.overdue.noGrace, shows: hasFine("overdueRecallFine") },
  ],
});

const reminderSection = (words: SettingsWords): Section => ({
  title: words.overdue.reminders,
  help: words.overdue.remindersHelp,
  fields: [
    {
      is: "list",
      at: SCHEDULE,
      label: words.overdue.reminders,
      add: words.overdue.addReminder,
      each: words.overdue.reminder,
      blank: { interval: 7, timeUnitId: "day", reminderFee: 1, noticeFormat: "Email" },
      fields: [
        { is: "number", at: "interval", label: words.overdue.after, required: true },
        {
          is: "choice",
          at: "timeUnitId",
          label: words.unit,
          from: optionsFor(["minute", "day", "week"], {
            minute: words.units.Minutes,
            day: words.units.Days,
            week: words.units.Weeks,
          }),
          required: true,
        },
        { is: "money", at: "reminderFee", label: words.overdue.reminderFee, required: true },
        {
          is: "choice",
          at: "noticeFormat",
          label: words.notice.format,
          from: optionsFor(["Email", "Print", "None"], words.notice.formats),
          required: true,
        },
        { is: "choice", at: "noticeTemplateId", label: words.notice.template, from: "templates", required: true },
      ],
    },
    { is: "yes", at: `${REMINDERS}.countClosed`, label: words.overdue.remindClosed, shows: hasReminders },
    {
      is: "yes",
      at: `${REMINDERS}.allowRenewalOfItemsWithReminderFees`,
      label: words.overdue.renewReminded,
      shows: hasReminders,
    },
  ],
});
