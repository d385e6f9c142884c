/** The service point of mod-inventory-storage: a desk at which items are checked out, checked in and picked up. */

import { valueAt } from "../draft.ts";
import type { Kind, SettingRecord } from "../kind.ts";
import { periodText } from "../summary.ts";
import { optionsFor, periodOptions } from "./units.ts";

const isPickupPoint = (record: SettingRecord) => record.pickupLocation === true;
const isHourly = (record: SettingRecord) =>
  ["Minutes", "Hours"].includes(String(valueAt(record, "holdShelfExpiryPeriod.intervalId")));

const HOURLY_CLOSED_OPTIONS = [
  "Keep_the_current_due_date_time",
  "Move_to_end_of_current_service_point_hours",
  "Move_to_beginning_of_next_open_service_point_hours",
] as const;
const DAILY_CLOSED_OPTIONS = [
  "Keep_the_current_due_date",
  "Move_to_the_end_of_the_previous_open_day",
  "Move_to_the_end_of_the_next_open_day",
] as const;

interface Slip {
  id: string;
  printByDefault: boolean;
}

export const servicePoints: Kind = {
  name: "servicePoints",
  slug: "service-points",
  path: "/service-points",
  collection: "servicepoints",
  title: "name",
  rights: "inventory-storage.service-points",
  blank: {
    pickupLocation: true,
    holdShelfExpiryPeriod: { duration: 10, intervalId: "Days" },
    holdShelfClosedLibraryDateManagement: DAILY_CLOSED_OPTIONS[0],
  },
  sections: (words, record) => [
    {
      fields: [
        { is: "text", at: "name", label: words.name, required: true },
        { is: "text", at: "code", label: words.code, required: true },
        {
          is: "text",
          at: "discoveryDisplayName",
          label: words.point.shownAs,
          help: words.point.shownAsHelp,
          required: true,
        },
        { is: "number", at: "shelvingLagTime", label: words.point.shelving, help: words.point.shelvingHelp },
        { is: "text", at: "description", label: words.description, lines: 2 },
      ],
    },
    {
      title: words.point.pickup,
      fields: [
        { is: "yes", at: "pickupLocation", label: words.point.handsOut },
        {
          is: "period",
          at: "holdShelfExpiryPeriod",
          label: words.point.kept,
          units: periodOptions(words),
          required: true,
          shows: isPickupPoint,
        },
        {
          is: "choice",
          at: "holdShelfClosedLibraryDateManagement",
          label: words.loan.closed,
          help: words.point.closedHelp,
          from: optionsFor(isHourly(record) ? HOURLY_CLOSED_OPTIONS : DAILY_CLOSED_OPTIONS, words.point.closedWays),
          required: true,
          shows: isPickupPoint,
        },
      ],
    },
    {
      title: words.point.slips,
      help: words.point.slipsHelp,
      fields: [{ is: "many", at: "printed", label: words.point.printed, from: "slips" }],
    },
  ],
  read: (record) => ({
    ...record,
    printed: ((record.staffSlips ?? []) as Slip[]).flatMap(({ id, printByDefault }) => (printByDefault ? [id] : [])),
  }),
  write: ({ printed = [], ...record }) => {
    const chosen = printed as string[];
    const known = ((record.staffSlips ?? []) as Slip[]).map(({ id }) => id);
    const staffSlips = [...new Set([...known, ...chosen])].map((id) => ({ id, printByDefault: chosen.includes(id) }));
    return { ...record, staffSlips };
  },
  summary: (record, words, formats) =>
    isPickupPoint(record)
      ? words.point.keptFor(periodText(record.holdShelfExpiryPeriod, formats))
      : words.point.handsNothingOut,
  // The server would delete a service point that locations refer to.
  requiredBy: {
    by: { path: "/locations", collection: "locations" },
    where: (location, id) =>
      location.primaryServicePoint === id || ((location.servicePointIds ?? []) as string[]).includes(id),
    says: (words) => words.problems.inUse("location"),
  },
};
