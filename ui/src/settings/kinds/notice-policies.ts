/** The patron notice policy of mod-circulation-storage: which notices patrons get, on which event and when. */

import { valueAt } from "../draft.ts";
import type { Kind, Section, SettingRecord, Spec } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import { longPeriodOptions, nameAndDescription, optionsFor } from "./units.ts";

const EVENTS = {
  loanNotices: [
    "Check out",
    "Check in",
    "Renewed",
    "Due date",
    "Manual due date change",
    "Item recalled",
    "Aged to lost",
  ],
  requestNotices: [
    "Paging request",
    "Hold request",
    "Recall request",
    "Available",
    "Request cancellation",
    "Request expiration",
    "Hold expiration",
  ],
  feeFineNotices: ["Overdue fine returned", "Overdue fine renewed", "Aged to lost - fine charged"],
} as const;
type NoticeGroup = keyof typeof EVENTS;

/**
 * Events whose time is known in advance, so that a notice can be sent before them; the next set is for notices after
 * them.
 */
const EVENTS_WITH_BEFORE = new Set<string>(["Due date", "Request expiration", "Hold expiration"]);
const EVENTS_WITH_AFTER = new Set<string>(["Due date", "Aged to lost", ...EVENTS.feeFineNotices]);

const triggeringEvent = (row: SettingRecord) => String(valueAt(row, "sendOptions.sendWhen"));
const hasTiming = (row: SettingRecord) =>
  EVENTS_WITH_BEFORE.has(triggeringEvent(row)) || EVENTS_WITH_AFTER.has(triggeringEvent(row));
const sendHow = (row: SettingRecord) => String(valueAt(row, "sendOptions.sendHow") ?? "Upon At");
const isBeforeOrAfter = (row: SettingRecord) => hasTiming(row) && sendHow(row) !== "Upon At";
const isRecurring = (row: SettingRecord) => isBeforeOrAfter(row) && row.frequency === "Recurring";

export const noticePolicies: Kind = {
  name: "noticePolicies",
  slug: "notice-policies",
  path: "/patron-notice-policy-storage/patron-notice-policies",
  collection: "patronNoticePolicies",
  title: "name",
  rights: "circulation-storage.patron-notice-policies",
  letter: "n",
  blank: { active: true, loanNotices: [], requestNotices: [], feeFineNotices: [] },
  sections: (words) => [
    nameAndDescription(words),
    noticeSection("loanNotices", words),
    noticeSection("requestNotices", words),
    noticeSection("feeFineNotices", words),
  ],
  summary: (record, words) =>
    words.notice.count(
      (["loanNotices", "requestNotices", "feeFineNotices"] as const).reduce(
        (sum, group) => sum + ((record[group] ?? []) as unknown[]).length,
        0,
      ),
    ),
};

function noticeSection(group: NoticeGroup, words: SettingsWords): Section {
  const says = words.notice;
  const events: Record<string, string> = says.events;
  return {
    title: says.groups[group],
    fields: [
      {
        is: "list",
        at: group,
        label: says.groups[group],
        add: says.add,
        each: says.one,
        blank: { format: "Email", realTime: true, sendOptions: { sendWhen: EVENTS[group][0] } },
        fields: [
          { is: "text", at: "name", label: words.name },
          { is: "choice", at: "templateId", label: says.template, from: "templates", required: true },
          {
            is: "choice",
            at: "sendOptions.sendWhen",
            label: says.event,
            from: EVENTS[group].map((id) => ({ id, name: events[id] ?? id })),
            required: true,
          },
          {
            is: "choice",
            at: "format",
            label: says.format,
            from: optionsFor(["Email", "Print"], says.formats),
            required: true,
          },
          ...timingFields(words),
          { is: "yes", at: "realTime", label: says.realTime, help: says.realTimeHelp },
        ],
      },
    ],
  };
}

function timingFields(words: SettingsWords): Spec[] {
  const says = words.notice;
  const units = longPeriodOptions(words);
  return [
    {
      is: "choice",
      at: "sendOptions.sendHow",
      label: says.how,
      from: optionsFor(["Upon At", "Before", "After"], says.hows),
      required: true,
      shows: (row) => EVENTS_WITH_BEFORE.has(triggeringEvent(row)),
    },
    {
      is: "choice",
      at: "sendOptions.sendHow",
      label: says.how,
      from: optionsFor(["Upon At", "After"], says.hows),
      required: true,
      shows: (row) => hasTiming(row) && !EVENTS_WITH_BEFORE.has(triggeringEvent(row)),
    },
    { is: "period", at: "sendOptions.sendBy", label: says.by, units, required: true, shows: isBeforeOrAfter },
    {
      is: "choice",
      at: "frequency",
      label: says.frequency,
      from: optionsFor(["One time", "Recurring"], says.frequencies),
      required: true,
      shows: isBeforeOrAfter,
    },
    { is: "period", at: "sendOptions.sendEvery", label: says.every, units, required: true, shows: isRecurring },
  ];
}
