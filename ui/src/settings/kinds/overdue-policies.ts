/** What a late return costs, and what reminders cost: mod-feesfines' overdue fine policy. */

import { at } from "../draft.ts";
import type { Kind, Section, Stored } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import { nameAndDescription, named, RATES } from "./units.ts";

const REMINDERS = "reminderFeesPolicy";
const SCHEDULE = `${REMINDERS}.reminderSchedule`;

const reminds = (record: Stored) => ((at(record, SCHEDULE) ?? []) as unknown[]).length > 0;
const fines = (place: string) => (record: Stored) => Boolean(at(record, `${place}.quantity`));
const finesAtAll = (record: Stored) => fines("overdueFine")(record) || fines("overdueRecallFine")(record);

export const overduePolicies: Kind = {
  name: "overduePolicies",
  slug: "overdue-fine-policies",
  path: "/overdue-fines-policies",
  collection: "overdueFinePolicies",
  title: "name",
  rights: "overdue-fines-policies",
  letter: "o",
  blank: { countClosed: true, forgiveOverdueFine: true, gracePeriodRecall: true },
  sections: (words) => [nameAndDescription(words), fine(words), recalled(words), reminders(words)],
  summary: (record, words, formats) => {
    const { quantity, intervalId } = (record.overdueFine ?? {}) as Stored;
    if (!quantity) return reminds(record) ? words.overdue.onlyReminders : words.overdue.nothing;
    return words.overdue.perUnit(formats.money(Number(quantity)), words.perUnit[intervalId as "day"] ?? "");
  },
};

const fine = (words: SettingsWords): Section => ({
  title: words.overdue.title,
  fields: [
    { is: "rate", at: "overdueFine", label: words.overdue.fine, help: words.overdue.fineHelp, units: RATES(words) },
    {
      is: "money",
      at: "maxOverdueFine",
      label: words.overdue.most,
      help: words.overdue.mostHelp,
      shows: fines("overdueFine"),
    },
    { is: "yes", at: "countClosed", label: words.overdue.countClosed, shows: finesAtAll },
    { is: "yes", at: "forgiveOverdueFine", label: words.overdue.forgive, shows: finesAtAll },
  ],
});

const recalled = (words: SettingsWords): Section => ({
  title: words.overdue.recalled,
  fields: [
    { is: "rate", at: "overdueRecallFine", label: words.overdue.fine, units: RATES(words) },
    {
      is: "money",
      at: "maxOverdueRecallFine",
      label: words.overdue.most,
      help: words.overdue.mostHelp,
      shows: fines("overdueRecallFine"),
    },
    { is: "yes", at: "gracePeriodRecall", label: words.overdue.noGrace, shows: fines("overdueRecallFine") },
  ],
});

const reminders = (words: SettingsWords): Section => ({
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
          from: named(["minute", "day", "week"], {
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
          from: named(["Email", "Print", "None"], words.notice.formats),
          required: true,
        },
        { is: "choice", at: "noticeTemplateId", label: words.notice.template, from: "templates", required: true },
      ],
    },
    { is: "yes", at: `${REMINDERS}.countClosed`, label: words.overdue.remindClosed, shows: reminds },
    {
      is: "yes",
      at: `${REMINDERS}.allowRenewalOfItemsWithReminderFees`,
      label: words.overdue.renewReminded,
      shows: reminds,
    },
  ],
});
