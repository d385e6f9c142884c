/** The patron notice policy of mod-circulation-storage: which notices patrons get, on which event and when. */

import { at } from "../draft.ts";
import type { Kind, Section, Spec, Stored } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import { LONG_PERIODS, nameAndDescription, named } from "./units.ts";

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
type Group = keyof typeof EVENTS;

/** Events whose time is known in advance: a notice can be sent before or after them. */
const BEFORE = new Set<string>(["Due date", "Request expiration", "Hold expiration"]);
const AFTER = new Set<string>(["Due date", "Aged to lost", ...EVENTS.feeFineNotices]);

const event = (row: Stored) => String(at(row, "sendOptions.sendWhen"));
const timed = (row: Stored) => BEFORE.has(event(row)) || AFTER.has(event(row));
const how = (row: Stored) => String(at(row, "sendOptions.sendHow") ?? "Upon At");
const away = (row: Stored) => timed(row) && how(row) !== "Upon At";
const again = (row: Stored) => away(row) && row.frequency === "Recurring";

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
    notices("loanNotices", words),
    notices("requestNotices", words),
    notices("feeFineNotices", words),
  ],
  summary: (record, words) =>
    words.notice.count(
      (["loanNotices", "requestNotices", "feeFineNotices"] as const).reduce(
        (sum, group) => sum + ((record[group] ?? []) as unknown[]).length,
        0,
      ),
    ),
};

function notices(group: Group, words: SettingsWords): Section {
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
            from: named(["Email", "Print"], says.formats),
            required: true,
          },
          ...timing(words),
          { is: "yes", at: "realTime", label: says.realTime, help: says.realTimeHelp },
        ],
      },
    ],
  };
}

function timing(words: SettingsWords): Spec[] {
  const says = words.notice;
  const units = LONG_PERIODS(words);
  return [
    {
      is: "choice",
      at: "sendOptions.sendHow",
      label: says.how,
      from: named(["Upon At", "Before", "After"], says.hows),
      required: true,
      shows: (row) => BEFORE.has(event(row)),
    },
    {
      is: "choice",
      at: "sendOptions.sendHow",
      label: says.how,
      from: named(["Upon At", "After"], says.hows),
      required: true,
      shows: (row) => timed(row) && !BEFORE.has(event(row)),
    },
    { is: "period", at: "sendOptions.sendBy", label: says.by, units, required: true, shows: away },
    {
      is: "choice",
      at: "frequency",
      label: says.frequency,
      from: named(["One time", "Recurring"], says.frequencies),
      required: true,
      shows: away,
    },
    { is: "period", at: "sendOptions.sendEvery", label: says.every, units, required: true, shows: again },
  ];
}
