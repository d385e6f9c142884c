export const en = {
  title: "Security log",
  none: "Nothing of the kind has happened, or it happened before the log was kept.",
  again: "Load again",
  firstOnly: (most: string, total: string) =>
    `These are the newest ${most} of ${total}. Narrow the log to see the others.`,
  columns: {
    date: "When",
    event: "What happened",
    user: "Account",
    by: "By",
    address: "Address",
    request: "Request",
    description: "Description",
  },
  filters: {
    title: "Filters",
    user: "User name",
    address: "Address",
    from: "From",
    to: "To",
    any: "All",
    clear: "Clear filters",
  },
  further: "Further ones of this minute were left out.",
  /** As the server names them. */
  events: {
    "Log-in": "Log-in",
    "Log-in failed": "Log-in failed",
    "User blocked": "User blocked",
    "Log-out": "Log-out",
    "Permission refused": "Permission refused",
    "Token refused": "Token refused",
    "Permissions of user changed": "Permissions of user changed",
    "Permission set changed": "Permission set changed",
    "Password set": "Password set",
    "Password removed": "Password removed",
    "API key changed": "API key changed",
    "Single sign-on changed": "Single sign-on changed",
    "User made inactive": "User made inactive",
    "User made active": "User made active",
    "Operator action": "Operator action",
    "Personal data given": "Personal data given",
  } as Record<string, string>,
};

export type SecurityWords = typeof en;
