/** Further texts of the editor of the circulation rules in English. Other languages have a file with the same keys. */

export const en = {
  names: "Names that fit here",
  namesHelp: "After a letter and a blank, names that fit are proposed while you type: arrow keys, then Enter.",
  unknown: (names: string[]) =>
    `Unknown or ambiguous name: ${names.map((name) => `“${name}”`).join(", ")}. Choose a name from the list, or write the UUID.`,
  changedMeanwhile:
    "Somebody else has changed the rules meanwhile, so yours were not saved. Copy what you have written, discard your changes to see the new rules, and add yours to them.",
  tried: {
    title: "Loans with a different result",
    days: "Days to look back",
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
      lineBefore: "Line (old)",
      lineAfter: "Line (new)",
      policyBefore: "Policy (old)",
      policyAfter: "Policy (new)",
      dueBefore: "Due (old)",
      dueAfter: "Due (new)",
    },
  },
};

export type RulesWords = typeof en;
