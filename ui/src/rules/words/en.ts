/** What the editor of the circulation rules says besides, in English. Another language is another file of this shape. */

export const en = {
  names: "Names that fit here",
  namesHelp: "After a letter and a blank, names that fit are proposed while you type: arrow keys, then Enter.",
  unknown: (names: string[]) =>
    `Nothing here is called ${names.map((name) => `“${name}”`).join(", ")}, or several things are: choose one from the list, or write its ID.`,
  tried: {
    title: "Loans that would have gone otherwise",
    days: "Loans of the last days",
    daysHelp: "1 to 366",
    stale: "The rules in the field have been changed since: simulate once more.",
    firstOnly: (most: string, of: string) => `The server lists ${most} of these ${of} loans, and counts all of them.`,
    change: "Change",
    all: "all",
    file: "Loans under other rules",
    columns: {
      title: "Title",
      barcode: "Barcode",
      group: "Group",
      patron: "Patron",
      loanDate: "Checked out",
      lineBefore: "Line now",
      lineAfter: "Line then",
      policyBefore: "Policy now",
      policyAfter: "Policy then",
      dueBefore: "Due now",
      dueAfter: "Due then",
    },
  },
};

export type RulesWords = typeof en;
