/**
 * Texts of check-out and check-in in English, besides those of every page. Other languages have a file with the same
 * keys.
 */

export const en = {
  outTo: (name: string, due: string) => `On loan to ${name}, due ${due}`,
  notLentTo: (name: string) => `Not checked out to ${name}`,
  remedies: {
    open: "Why can this patron not borrow?",
    title: (name: string) => `Why can ${name} not borrow?`,
    nothing: "This patron has no blocks. What is still refused is refused because of the item.",
    expired: (date: string) => `Their registration ended on ${date}.`,
    inactive: "Their account is set to inactive.",
    setActive: "Set active",
    block: (message: string) => `Manual block: ${message}`,
    lift: "Remove this block",
    limit: (message: string) => `A limit has been reached: ${message}`,
    loanLimit: (message: string) => `The loan policy's limit has been reached: ${message}`,
    owes: (amount: string) => `Owed: ${amount}`,
    pay: (amount: string) => `Take payment of ${amount}`,
    checkIn: (title: string) => `Check in: ${title}`,
    back: "If the patron has returned it, check it in",
    overdue: (due: string) => `was due ${due}`,
    override: "Override for what was refused",
    overrideTitle: "Override and check out what was refused?",
    notPermitted:
      "Your account may not change this. Somebody who may renew, remove blocks, override or take payments can.",
    again: "Try what was refused again",
  },
};

export type ScanningWords = typeof en;
