/** Texts for overriding blocks for a whole visit in English. Other languages have a file with the same keys. */

export const en = {
  open: "Override for this visit",
  title: (name: string) => `Override for the visit of ${name}`,
  help: "The override applies until the visit ends or you end it. What is refused only for these blocks is checked out again with your reason; the server decides each time and stores the reason with the loan.",
  what: "Blocks to override",
  blocks: {
    patronBlock: "Blocks and limits of the patron",
    itemLimitBlock: "Item limits of the loan policy",
    itemNotLoanableBlock: "Items that are not loanable",
    renewalBlock: "Renewals that are used up, recalled, lost or billed",
    renewalDueDateRequiredBlock: "Renewals that the loan policy does not allow",
  } as Record<string, string>,
  short: {
    patronBlock: "patron blocks",
    itemLimitBlock: "item limits",
    itemNotLoanableBlock: "not loanable",
    renewalBlock: "renewal blocks",
    renewalDueDateRequiredBlock: "renewals not allowed",
  } as Record<string, string>,
  due: "Due date for items that are not loanable",
  chooseOne: "Tick at least one.",
  start: "Override",
  bar: (name: string, blocks: string) => `Overridden for the visit of ${name}: ${blocks}.`,
  reason: (comment: string) => `Reason: ${comment}`,
  end: "End override",
  ended: "Nothing is overridden any more.",
};

export type OverrideWords = typeof en;
