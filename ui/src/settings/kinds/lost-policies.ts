/** When an item counts as lost, and what that costs: mod-feesfines' lost item fee policy. */

import { at } from "../draft.ts";
import type { Kind, Section, Stored } from "../kind.ts";
import { inWordsOf } from "../summary.ts";
import type { SettingsWords } from "../words/en.ts";
import { LONG_PERIODS, nameAndDescription, named } from "./units.ts";

const actual = (record: Stored) => at(record, "chargeAmountItem.chargeType") === "actualCost";

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
  sections: (words) => [nameAndDescription(words), ageing(words), costs(words), found(words)],
  // Of an actual cost no amount is known; the server wants one all the same.
  write: (record) =>
    actual(record) ? { ...record, chargeAmountItem: { chargeType: "actualCost", amount: 0 } } : record,
  summary: (record, words, formats) => {
    const after = inWordsOf(record.itemAgedLostOverdue, formats);
    const cost = actual(record)
      ? words.lost.chargeTypes.actualCost
      : formats.money(Number(at(record, "chargeAmountItem.amount") ?? 0));
    return [after ? words.lost.lostAfter(after) : words.lost.neverLost, cost].join(" · ");
  },
};

function ageing(words: SettingsWords): Section {
  const period = (place: string, label: string, help?: string) =>
    ({ is: "period", at: place, label, ...(help && { help }), units: LONG_PERIODS(words) }) as const;
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

const costs = (words: SettingsWords): Section => ({
  title: words.lost.costs,
  fields: [
    {
      is: "choice",
      at: "chargeAmountItem.chargeType",
      label: words.lost.chargeType,
      from: named(["anotherCost", "actualCost"], words.lost.chargeTypes),
      required: true,
    },
    {
      is: "money",
      at: "chargeAmountItem.amount",
      label: words.lost.amount,
      required: true,
      shows: (record) => !actual(record),
    },
    {
      is: "period",
      at: "lostItemChargeFeeFine",
      label: words.lost.chargeWithin,
      help: words.lost.chargeWithinHelp,
      units: LONG_PERIODS(words),
      shows: actual,
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

const found = (words: SettingsWords): Section => ({
  title: words.lost.found,
  fields: [
    {
      is: "period",
      at: "feesFinesShallRefunded",
      label: words.lost.refundedWithin,
      help: words.lost.refundedWithinHelp,
      units: LONG_PERIODS(words),
    },
    { is: "yes", at: "returnedLostItemProcessingFee", label: words.lost.refundProcessing },
    {
      is: "choice",
      at: "lostItemReturned",
      label: words.lost.overdue,
      from: named(["Charge", "Remove"], words.lost.overdueWays),
      required: true,
    },
  ],
});
