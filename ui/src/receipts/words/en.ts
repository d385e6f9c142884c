/** What stands on receipts besides those of payments, in English. Another language is another file of this shape. */

export const en = {
  renewedTitle: "Renewed for you",
  returnedTitle: "Returned by you",
  returnedAt: (moment: string) => `returned ${moment}`,
  visitSubject: (library: string) => `Your visit: ${library}`,
  returnedSubject: (library: string) => `What you have returned: ${library}`,
  ofReturned: (name: string, count: number) => `Receipt: ${name} (${count})`,
  pileEnded: (count: number) => (count === 1 ? "1 item was checked in." : `${count} items were checked in.`),
  renewed: (count: number) => (count === 1 ? "1 loan renewed" : `${count} loans renewed`),
  statement: "Print statement",
  statementTitle: "Statement of fees/fines",
  statementSubject: (library: string) => `Your fees/fines: ${library}`,
  charged: (day: string) => `charged ${day}`,
  of: (amount: string) => `of ${amount}`,
  total: (amount: string) => `Total owed: ${amount}`,
};

export type ReceiptWords = typeof en;
