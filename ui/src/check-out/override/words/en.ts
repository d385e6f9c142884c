/** What is said about overriding blocks for a whole visit, in English. Another language is another file of this shape. */

export const en = {
  open: "Override for this visit",
  title: (name: string) => `Override for the visit of ${name}`,
  help: "Said once, it holds until the visit ends or you end it. What is refused only for these blocks goes out again with your reason; the server decides each time and keeps the reason with the loan.",
  what: "What is overridden",
  blocks: {
    patronBlock: "Blocks and limits of the patron",
    itemLimitBlock: "Limits of the loan policy: as many as it allows are out",
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
  due: "Due date of what has none",
  chooseOne: "Tick at least one.",
  start: "Override",
  bar: (name: string, blocks: string) => `Overridden for the visit of ${name}: ${blocks}.`,
  reason: (comment: string) => `Reason: ${comment}`,
  end: "End override",
  ended: "Nothing is overridden any more.",
};

export type OverrideWords = typeof en;
