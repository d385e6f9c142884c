export const en = {
  title: "Partner libraries",
  none: "No transaction had a new status on these days.",
  again: "Load again",
  firstOnly: (most: string, total: string) =>
    `These are ${most} of ${total} changes. Choose fewer days to see the others.`,
  columns: {
    title: "Title",
    item: "Item",
    patron: "Patron",
    role: "Role",
    status: "Status",
    pickup: "Pickup",
    lender: "Lending library",
  },
  filters: { title: "Filters", from: "From", to: "To", any: "All" },
  detail: {
    title: "Transaction",
    history: "Its statuses on these days",
    next: "Next",
    ended: "It has ended.",
    materialType: "Material type",
    group: "Patron group",
  },
  by: { desk: "by our desk", hub: "by the hub" },
  cancel: {
    act: "Cancel transaction",
    title: "Cancel this transaction?",
    what: "The request for the item is cancelled here, and the hub is told. This cannot be undone.",
    close: "Close",
  },
  roles: {
    LENDER: "We lend",
    BORROWER: "We borrow",
    PICKUP: "Others pick up here",
    "BORROWING-PICKUP": "We borrow, pick-up here",
  } as Record<string, string>,
  statuses: {
    CREATED: "Created",
    OPEN: "Open",
    AWAITING_PICKUP: "Awaiting pickup",
    ITEM_CHECKED_OUT: "Checked out",
    ITEM_CHECKED_IN: "Checked in",
    CLOSED: "Closed",
    CANCELLED: "Cancelled",
  } as Record<string, string>,
};

export type PartnerWords = typeof en;
