/** Loan policies (mod-circulation-storage): loan periods, due dates and renewals. */

import { valueAt } from "../draft.ts";
import type { Kind, Section, SettingRecord } from "../kind.ts";
import { periodText } from "../summary.ts";
import type { SettingsWords } from "../words/en.ts";
import { nameAndDescription, optionsFor, periodOptions } from "./units.ts";

const isLoanable = (record: SettingRecord) => record.loanable === true;
const isRolling = (record: SettingRecord) => valueAt(record, "loansPolicy.profileId") === "Rolling";
const isRenewable = (record: SettingRecord) => isLoanable(record) && record.renewable === true;
const hasOtherRenewalPeriod = (record: SettingRecord) =>
  isRenewable(record) && valueAt(record, "renewalsPolicy.differentPeriod") === true;
/** An hourly loan: opening hours of the day matter, not the end of the day. */
const isHourly = (record: SettingRecord) =>
  isRolling(record) && ["Minutes", "Hours"].includes(String(valueAt(record, "loansPolicy.period.intervalId")));

const HOURLY_CLOSED_OPTIONS = [
  "CURRENT_DUE_DATE_TIME",
  "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
  "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
] as const;
const DAILY_CLOSED_OPTIONS = ["CURRENT_DUE_DATE", "END_OF_THE_PREVIOUS_OPEN_DAY", "END_OF_THE_NEXT_OPEN_DAY"] as const;

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
  sections: (words, record) => [
    nameAndDescription(words),
    loanSection(words, record),
    renewalSection(words, record),
    requestSection(words),
  ],
  // An item that is not loanable is not renewable either; the server wants both members.
  write: (record) => ({ ...record, renewable: record.renewable === true }),
  summary: (record, words, formats) => {
    if (!isLoanable(record)) return words.loan.notLent;
    const period = valueAt(record, "loansPolicy.period");
    const time = isRolling(record) ? periodText(period, formats) : words.loan.bySchedule;
    const renewals = valueAt(record, "renewalsPolicy.unlimited")
      ? Number.POSITIVE_INFINITY
      : valueAt(record, RENEWALS_ALLOWED);
    return [time, isRenewable(record) ? words.loan.renewedUpTo(Number(renewals ?? 0)) : words.loan.notRenewed].join(
      " · ",
    );
  },
  explainRefusal: ({ message }, words) => {
    if (/^Fixed due date cannot be null/.test(message)) {
      return { at: "loansPolicy.fixedDueDateScheduleId", text: words.problems.missing };
    }
    return /^Alternate fixed due date cannot be null/.test(message)
      ? { at: "renewalsPolicy.alternateFixedDueDateScheduleId", text: words.problems.missing }
      : undefined;
  },
};

const RENEWALS_ALLOWED = "renewalsPolicy.numberAllowed";

function loanSection(words: SettingsWords, record: SettingRecord): Section {
  const says = words.loan;
  const closed = isHourly(record) ? HOURLY_CLOSED_OPTIONS : DAILY_CLOSED_OPTIONS;
  return {
    title: says.lending,
    fields: [
      { is: "yes", at: "loanable", label: says.loanable },
      {
        is: "choice",
        at: "loansPolicy.profileId",
        label: says.profile,
        from: optionsFor(["Rolling", "Fixed"], says.profiles),
        required: true,
        shows: isLoanable,
      },
      {
        is: "period",
        at: "loansPolicy.period",
        label: says.period,
        units: periodOptions(words),
        required: true,
        shows: (now) => isLoanable(now) && isRolling(now),
      },
      {
        is: "choice",
        at: "loansPolicy.fixedDueDateScheduleId",
        label: isRolling(record) ? says.limitSchedule : says.schedule,
        help: isRolling(record) ? says.limitScheduleHelp : says.scheduleHelp,
        from: "schedules",
        required: !isRolling(record),
        shows: isLoanable,
      },
      {
        is: "choice",
        at: "loansPolicy.closedLibraryDueDateManagementId",
        label: says.closed,
        help: says.closedHelp,
        from: optionsFor(closed, says.closedWays),
        required: true,
        shows: isLoanable,
      },
      {
        is: "period",
        at: "loansPolicy.openingTimeOffset",
        label: says.openingOffset,
        help: says.openingOffsetHelp,
        units: periodOptions(words),
        shows: (now) =>
          isLoanable(now) && valueAt(now, "loansPolicy.closedLibraryDueDateManagementId") === HOURLY_CLOSED_OPTIONS[2],
      },
      {
        is: "period",
        at: "loansPolicy.gracePeriod",
        label: says.grace,
        help: says.graceHelp,
        units: periodOptions(words),
        shows: isLoanable,
      },
      {
        is: "number",
        at: "loansPolicy.itemLimit",
        label: says.itemLimit,
        help: says.itemLimitHelp,
        least: 1,
        shows: isLoanable,
      },
    ],
  };
}

function renewalSection(words: SettingsWords, record: SettingRecord): Section {
  const says = words.loan;
  return {
    title: says.renewing,
    fields: [
      { is: "yes", at: "renewable", label: says.renewable, shows: isLoanable },
      { is: "yes", at: "renewalsPolicy.unlimited", label: says.unlimited, shows: isRenewable },
      {
        is: "number",
        at: RENEWALS_ALLOWED,
        label: says.numberAllowed,
        required: true,
        shows: (now) => isRenewable(now) && valueAt(now, "renewalsPolicy.unlimited") !== true,
      },
      {
        is: "choice",
        at: "renewalsPolicy.renewFromId",
        label: says.renewFrom,
        from: optionsFor(["SYSTEM_DATE", "CURRENT_DUE_DATE"], says.renewFroms),
        required: true,
        shows: (now) => isRenewable(now) && isRolling(now),
      },
      { is: "yes", at: "renewalsPolicy.differentPeriod", label: says.differentPeriod, shows: isRenewable },
      {
        is: "period",
        at: "renewalsPolicy.period",
        label: says.renewalPeriod,
        units: periodOptions(words),
        required: true,
        shows: (now) => hasOtherRenewalPeriod(now) && isRolling(now),
      },
      {
        is: "choice",
        at: "renewalsPolicy.alternateFixedDueDateScheduleId",
        label: says.renewalSchedule,
        from: "schedules",
        required: !isRolling(record),
        shows: hasOtherRenewalPeriod,
      },
    ],
  };
}

function requestSection(words: SettingsWords): Section {
  const says = words.loan;
  const recalls = "requestManagement.recalls";
  const holds = "requestManagement.holds";
  const extends_ = (now: SettingRecord) =>
    isLoanable(now) && valueAt(now, `${recalls}.allowRecallsToExtendOverdueLoans`) === true;
  const period = (place: string, label: string, help?: string) =>
    ({
      is: "period",
      at: place,
      label,
      ...(help && { help }),
      units: periodOptions(words),
      shows: isLoanable,
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
        shows: isLoanable,
      },
      {
        ...period(`${recalls}.alternateRecallReturnInterval`, says.recallReturnOverdue),
        shows: extends_,
      },
      period(`${holds}.alternateCheckoutLoanPeriod`, says.holdPeriod, says.holdPeriodHelp),
      { is: "yes", at: `${holds}.renewItemsWithRequest`, label: says.renewWithHold, shows: isRenewable },
      {
        ...period(`${holds}.alternateRenewalLoanPeriod`, says.holdRenewal),
        shows: (now) => isRenewable(now) && isRolling(now) && valueAt(now, `${holds}.renewItemsWithRequest`) === true,
      },
    ],
  };
}
