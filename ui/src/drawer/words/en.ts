/** What the page of the cash drawer says, in English. Another language is another file of this shape. */

import { pluralizer } from "../../words/counting.ts";

export const en = {
  title: "Cash drawer",
  here: (servicePoint: string) => `The drawer of ${servicePoint}`,
  kept: "What you count is kept in this browser alone, until the drawer is closed: FOLIO keeps the payments, and no drawers.",
  open: {
    title: "Open the drawer",
    float: "Money in the drawer now",
    submit: "Open",
  },
  since: (moment: string, name: string) => `Open since ${moment}, by ${name}`,
  none: "No payment has been taken here since.",
  taken: "Payments since opening",
  methods: "Payment methods whose money lies in the drawer",
  close: {
    title: "Count and close",
    counted: "Counted",
    out: "Taken out for refunds",
    remark: "Comment",
    submit: "Close the drawer",
  },
  report: {
    title: "The drawer when it was closed",
    opened: "Opened",
    closed: "Closed",
    float: "At the beginning",
    payments: "Payments in the drawer",
    out: "Taken out",
    expected: "Expected",
    counted: "Counted",
    difference: "Difference",
    even: "The count is correct.",
    short: (amount: string) => `${amount} too little`,
    over: (amount: string) => `${amount} too much`,
  },
  days: {
    title: "Payments by days",
    help: "FOLIO's cash drawer reconciliation report: all payments at this service point, by whole days.",
    from: "From",
    to: "To",
    source: "Taken by",
    everybody: "Everybody",
    none: "No payments in these days.",
    totals: {
      bySource: "By staff member",
      byPaymentMethod: "By payment method",
      byFeeFineType: "By fee/fine type",
      byFeeFineOwner: "By fee/fine owner",
    },
    total: "Total",
    count: (count: number) => pluralizer("en")(count, { one: "{} payment", other: "{} payments" }),
    csv: "Save payments as CSV",
    columns: {
      source: "Taken by",
      paymentMethod: "Payment method",
      paidAmount: "Amount",
      feeFineOwner: "Fee/fine owner",
      feeFineType: "Fee/fine type",
      paymentDate: "Date",
      paymentStatus: "Status",
      transactionInfo: "Transaction",
      additionalStaffInfo: "Comment for staff",
    },
  },
};

export type DrawerWords = typeof en;
