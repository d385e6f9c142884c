/** What check-out and check-in say besides the words of every page, in English. Another language is another file of this shape. */

export const en = {
  outTo: (name: string, due: string) => `Out to ${name}, due ${due}`,
  notLentTo: (name: string) => `Not checked out to ${name}`,
  remedies: {
    open: "What would let them borrow?",
    title: (name: string) => `What would let ${name} borrow?`,
    nothing: "Nothing stands against this patron. What is still refused is refused for the item.",
    expired: (date: string) => `Their registration ended on ${date}.`,
    inactive: "Their account is set to inactive.",
    setActive: "Set active",
    block: (message: string) => `Blocked by staff: ${message}`,
    lift: "Lift this block",
    limit: (message: string) => `A limit has been reached: ${message}`,
    loanLimit: (message: string) => `The loan policy's limit has been reached: ${message}`,
    owes: (amount: string) => `Owed: ${amount}`,
    pay: (amount: string) => `Take ${amount}`,
    checkIn: (title: string) => `Check in: ${title}`,
    back: "If they have brought it, check it in",
    overdue: (due: string) => `was due ${due}`,
    override: "Override for what was refused",
    overrideTitle: "Check out what was refused all the same?",
    notPermitted: "Your account may not change this. Somebody who may renew, lift, override or take payments can.",
    again: "Try what was refused again",
  },
};

export type ScanningWords = typeof en;
