/** Fixed due date schedules (mod-circulation-storage). */

import type { Kind, SettingRecord } from "../kind.ts";
import { nameAndDescription } from "./units.ts";

export const schedules: Kind = {
  name: "schedules",
  slug: "due-date-schedules",
  path: "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
  collection: "fixedDueDateSchedules",
  title: "name",
  rights: "circulation-storage.fixed-due-date-schedules",
  blank: { schedules: [{}] },
  sections: (words) => [
    nameAndDescription(words),
    {
      title: words.schedule.terms,
      fields: [
        {
          is: "list",
          at: "schedules",
          label: words.schedule.terms,
          add: words.schedule.add,
          each: words.schedule.term,
          blank: {},
          fields: [
            { is: "day", at: "from", label: words.schedule.from, required: true },
            { is: "day", at: "to", label: words.schedule.to, required: true, end: true },
            { is: "day", at: "due", label: words.schedule.due, required: true, end: true },
          ],
        },
      ],
    },
  ],
  summary: ({ schedules = [] }, words) => words.schedule.count((schedules as SettingRecord[]).length),
  explainRefusal: ({ message }, words) => {
    if (/overlap/i.test(message)) return { at: "schedules", text: words.schedule.overlap };
    return /Date range not valid/.test(message) ? { at: "schedules", text: words.schedule.order } : undefined;
  },
};
