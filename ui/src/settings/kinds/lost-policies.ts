/** Lost item fee policies (mod-feesfines): when items age to lost, and what is charged. */

import { valueAt } from "../draft.ts";
import type { Kind, Section, SettingRecord } from "../kind.ts";
import { periodText } from "../summary.ts";
import type { SettingsWords } from "../words/en.ts";
import { longPeriodOptions, nameAndDescription, optionsFor } from "./units.ts";

const isActualCost = (record: SettingRecord) => valueAt(record, "chargeAmountItem.chargeType") === "actualCost";

export const lostPolicies: Kind = {
  name: "lostPolicies",
  slug: "lost-item-fee-policies",
  path: "/lost-item-fees-policies",
  collection: "lostItemFeePolicies",
  title: "name",
  rights: "lost-item-fees-policies",
  letter: "i",
  blank: {
    itemAgedLostOverdue: { duration: 6, intervalId: "Weeks" },
    patronBilledAfterAgedLost: { duration: 1, intervalId: "Weeks" },
    chargeAmountItem: { chargeType: "anotherCost" },
    lostItemProcessingFee: 0,
    chargeAmountItemPatron: true,
    chargeAmountItemSystem: true,
    returnedLostItemProcessingFee: true,
    lostItemReturned: "Charge",
  },
  sections: (words) => [nameAndDescription(words), agingSection(words), costSection(words), foundSection(words)],
  // An actual cost has no set amount, but the server requires one.
  write: (record) =>
    isActualCost(record) ? { ...record, chargeAmountItem: { chargeType: "actualCost", amount: 0 } } : record,
  summary: (record, words, formats) => {
    const after = periodText(record.itemAgedLostOverdue, formats);
    const cost = isActualCost(record)
      ? words.lost.chargeTypes.actualCost
      : formats.money(Number(valueAt(record, "chargeAmountItem.amount") ?? 0));
    return [after ? words.lost.lostAfter(after) : words.lost.neverLost, cost].join(" · ");
  },
};

function agingSection(words: SettingsWords): Section {
  const period = (place: string, label: string, help?: string) =>
    ({ is: "period", at: place, label, ...(help && { help }), units: longPeriodOptions(words) }) as const;
  return {
    title: words.lost.ageing,
    help: words.lost.ageingHelp,
    fields: [
      period("itemAgedLostOverdue", words.lost.agedAfter),
      {
        ...period("patronBilledAfterAgedLost", words.lost.billedAfter, words.lost.billedAfterHelp),
        shows: (record) => record.itemAgedLostOverdue !== undefined,
      },
      period("recalledItemAgedLostOverdue", words.lost.recalledAgedAfter),
      {
        ...period("patronBilledAfterRecalledItemAgedLost", words.lost.recalledBilledAfter),
        shows: (record) => record.recalledItemAgedLostOverdue !== undefined,
      },
    ],
  };
}

const costSection = (words: SettingsWords): Section => ({
  title: words.lost.costs,
  fields: [
    {
      is: "choice",
      at: "chargeAmountItem.chargeType",
      label: words.lost.chargeType,
      from: optionsFor(["anotherCost", "actualCost"], words.lost.chargeTypes),
      required: true,
    },
    {
      is: "money",
      at: "chargeAmountItem.amount",
      label: words.lost.amount,
      required: true,
      shows: (record) => !isActualCost(record),
    },
    {
      is: "period",
      at: "lostItemChargeFeeFine",
      label: words.lost.chargeWithin,
      help: words.lost.chargeWithinHelp,
      units: longPeriodOptions(words),
      shows: isActualCost,
    },
    { is: "money", at: "lostItemProcessingFee", label: words.lost.processing },
    {
      is: "yes",
      at: "chargeAmountItemPatron",
      label: words.lost.processingDeclared,
      shows: (record) => Number(record.lostItemProcessingFee) > 0,
    },
    {
      is: "yes",
      at: "chargeAmountItemSystem",
      label: words.lost.processingAged,
      shows: (record) => Number(record.lostItemProcessingFee) > 0,
    },
  ],
});

const foundSection = (words: SettingsWords): Section => ({
  title: words.lost.found,
  fields: [
    {
      is: "period",
      at: "feesFinesShallRefunded",
      label: words.lost.refundedWithin,
      help: words.lost.refundedWithinHelp,
      units: longPeriodOptions(words),
    },
    { is: "yes", at: "returnedLostItemProcessingFee", label: words.lost.refundProcessing },
    {
      is: "choice",
      at: "lostItemReturned",
      label: words.lost.overdue,
      from: optionsFor(["Charge", "Remove"], words.lost.overdueWays),
      required: true,
    },
  ],
});
