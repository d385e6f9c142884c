/** Webhooks and what they were sent, in English; `webhooks-de.ts` is of the same shape. */

export const kindOfWebhooks = {
  webhooks: {
    one: "Webhook",
    many: "Webhooks",
    make: "New webhook",
    help: "Addresses of other programs that are notified of events at the desk.",
  },
};

export const webhook = {
  url: "Address",
  urlHelp: "Such as https://example.org/hook. Events are posted to it as JSON.",
  active: "Events are sent",
  types: "Event types",
  typesHelp: "If none is chosen, everything.",
  typeNames: {
    ITEM_CHECKED_OUT: "Item checked out",
    LOAN_DUE_DATE_CHANGED: "Due date changed",
    ITEM_CHECKED_IN: "Item checked in",
    LOAN_CLOSED: "Loan closed without a check-in",
    ITEM_CLAIMED_RETURNED: "Item claimed returned",
    ITEM_DECLARED_LOST: "Item declared lost",
    ITEM_AGED_TO_LOST: "Item aged to lost",
    FEE_FINE_BALANCE_CHANGED: "Balance of a fee/fine changed",
    LOAN_RELATED_FEE_FINE_CLOSED: "Fee/fine of a loan closed",
  },
  secret: "Secret",
  secretHelp: "With it the receiver checks that events come from here. Without one, nothing is sent.",
  newSecret: "Make a new secret",
  secretOnce: "It is shown this once:",
  delivery: "Delivery",
  sent: (count: string) => `Sent: ${count}.`,
  waiting: (count: string) => `Waiting: ${count}.`,
  lost: (count: string) => `Removed before they could be sent: ${count}.`,
  failed: (count: string) => `The last tries failed (${count}).`,
  next: (when: string) => `Next try: ${when}`,
  sendNow: "Try now",
  refused: "Refused events",
  refusedHelp: (count: string) => `The receiver did not want these, although they were offered six times: ${count}.`,
  sendAgain: "Send again",
  remove: "Remove",
};
