/** The loan policy of mod-circulation-storage: how long items are checked out, when they are due, whether they are renewed. */

import { at } from "../draft.ts";
import type { Kind, Section, Stored } from "../kind.ts";
import { inWordsOf } from "../summary.ts";
import type { SettingsWords } from "../words/en.ts";
import { nameAndDescription, named, PERIODS } from "./units.ts";

const lends = (record: Stored) => record.loanable === true;
const rolls = (record: Stored) => at(record, "loansPolicy.profileId") === "Rolling";
const renews = (record: Stored) => lends(record) && record.renewable === true;
const differs = (record: Stored) => renews(record) && at(record, "renewalsPolicy.differentPeriod") === true;
/** Lent by the hour: then the hours of a day matter, not its end. */
const isShort = (record: Stored) =>
  rolls(record) && ["Minutes", "Hours"].includes(String(at(record, "loansPolicy.period.intervalId")));

const HOURS = [
  "CURRENT_DUE_DATE_TIME",
  "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
  "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
] as const;
const DAYS = ["CURRENT_DUE_DATE", "END_OF_THE_PREVIOUS_OPEN_DAY", "END_OF_THE_NEXT_OPEN_DAY"] as const;

export const loanPolicies: Kind = {
  name: "loanPolicies",
  slug: "loan-policies",
  path: "/loan-policy-storage/loan-policies",
  collection: "loanPolicies",
  title: "name",
  rights: "circulation-storage.loan-policies",
  letter: "l",
  blank: {
    loanable: true,
    loansPolicy: {
      profileId: "Rolling",
      period: { duration: 3, intervalId: "Weeks" },
      closedLibraryDueDateManagementId: "CURRENT_DUE_DATE",
    },
    renewable: true,
    renewalsPolicy: { unlimited: false, numberAllowed: 1, renewFromId: "SYSTEM_DATE", differentPeriod: false },
  },
  sections: (words, record) => [nameAndDescription(words), lending(words, record), renewing(words), queueing(words)],
  // An item that is not loanable is not renewable either; the server wants both members.
  write: (record) => ({ ...record, renewable: record.renewable === true }),
  summary: (record, words, formats) => {
    if (!lends(record)) return words.loan.notLent;
    const period = at(record, "loansPolicy.period");
    const time = rolls(record) ? inWordsOf(period, formats) : words.loan.bySchedule;
    const renewals = at(record, "renewalsPolicy.unlimited") ? Number.POSITIVE_INFINITY : at(record, NUMBER);
    return [time, renews(record) ? words.loan.renewedUpTo(Number(renewals ?? 0)) : words.loan.notRenewed].join(" · ");
  },
  mapped: ({ message }, words) =>
    /Fixed due date cannot be null/.test(message)
      ? { at: "loansPolicy.fixedDueDateScheduleId", text: words.problems.missing }
      : undefined,
};

const NUMBER = "renewalsPolicy.numberAllowed";

function lending(words: SettingsWords, record: Stored): Section {
  const says = words.loan;
  const closed = isShort(record) ? HOURS : DAYS;
  return {
    title: says.lending,
    fields: [
      { is: "yes", at: "loanable", label: says.loanable },
      {
        is: "choice",
        at: "loansPolicy.profileId",
        label: says.profile,
        from: named(["Rolling", "Fixed"], says.profiles),
        required: true,
        shows: lends,
      },
      {
        is: "period",
        at: "loansPolicy.period",
        label: says.period,
        units: PERIODS(words),
        required: true,
        shows: (now) => lends(now) && rolls(now),
      },
      {
        is: "choice",
        at: "loansPolicy.fixedDueDateScheduleId",
        label: rolls(record) ? says.limitSchedule : says.schedule,
        help: rolls(record) ? says.limitScheduleHelp : says.scheduleHelp,
        from: "schedules",
        required: !rolls(record),
        shows: lends,
      },
      {
        is: "choice",
        at: "loansPolicy.closedLibraryDueDateManagementId",
        label: says.closed,
        help: says.closedHelp,
        from: named(closed, says.closedWays),
        required: true,
        shows: lends,
      },
      {
        is: "period",
        at: "loansPolicy.openingTimeOffset",
        label: says.openingOffset,
        help: says.openingOffsetHelp,
        units: PERIODS(words),
        shows: (now) => lends(now) && at(now, "loansPolicy.closedLibraryDueDateManagementId") === HOURS[2],
      },
      {
        is: "period",
        at: "loansPolicy.gracePeriod",
        label: says.grace,
        help: says.graceHelp,
        units: PERIODS(words),
        shows: lends,
      },
      {
        is: "number",
        at: "loansPolicy.itemLimit",
        label: says.itemLimit,
        help: says.itemLimitHelp,
        least: 1,
        shows: lends,
      },
    ],
  };
}

function renewing(words: SettingsWords): Section {
  const says = words.loan;
  return {
    title: says.renewing,
    fields: [
      { is: "yes", at: "renewable", label: says.renewable, shows: lends },
      { is: "yes", at: "renewalsPolicy.unlimited", label: says.unlimited, shows: renews },
      {
        is: "number",
        at: NUMBER,
        label: says.numberAllowed,
        required: true,
        shows: (now) => renews(now) && at(now, "renewalsPolicy.unlimited") !== true,
      },
      {
        is: "choice",
        at: "renewalsPolicy.renewFromId",
        label: says.renewFrom,
        from: named(["SYSTEM_DATE", "CURRENT_DUE_DATE"], says.renewFroms),
        required: true,
        shows: (now) => renews(now) && rolls(now),
      },
      { is: "yes", at: "renewalsPolicy.differentPeriod", label: says.differentPeriod, shows: renews },
      {
        is: "period",
        at: "renewalsPolicy.period",
        label: says.renewalPeriod,
        units: PERIODS(words),
        required: true,
        shows: (now) => differs(now) && rolls(now),
      },
      {
        is: "choice",
        at: "renewalsPolicy.alternateFixedDueDateScheduleId",
        label: says.renewalSchedule,
        from: "schedules",
        shows: differs,
      },
    ],
  };
}

function queueing(words: SettingsWords): Section {
  const says = words.loan;
  const recalls = "requestManagement.recalls";
  const holds = "requestManagement.holds";
  const extends_ = (now: Stored) => lends(now) && at(now, `${recalls}.allowRecallsToExtendOverdueLoans`) === true;
  const period = (place: string, label: string, help?: string) =>
    ({
      is: "period",
      at: place,
      label,
      ...(help && { help }),
      units: PERIODS(words),
      shows: lends,
    }) as const;
  return {
    title: says.queueing,
    fields: [
      period(`${recalls}.minimumGuaranteedLoanPeriod`, says.guaranteed, says.guaranteedHelp),
      period(`${recalls}.recallReturnInterval`, says.recallReturn, says.recallReturnHelp),
      period(`${recalls}.alternateGracePeriod`, says.recallGrace),
      {
        is: "yes",
        at: `${recalls}.allowRecallsToExtendOverdueLoans`,
        label: says.recallsExtend,
        shows: lends,
      },
      {
        ...period(`${recalls}.alternateRecallReturnInterval`, says.recallReturnOverdue),
        shows: extends_,
      },
      period(`${holds}.alternateCheckoutLoanPeriod`, says.holdPeriod, says.holdPeriodHelp),
      { is: "yes", at: `${holds}.renewItemsWithRequest`, label: says.renewWithHold, shows: renews },
      {
        ...period(`${holds}.alternateRenewalLoanPeriod`, says.holdRenewal),
        shows: (now) => renews(now) && rolls(now) && at(now, `${holds}.renewItemsWithRequest`) === true,
      },
    ],
  };
}
