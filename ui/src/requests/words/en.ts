/** What is said about one request, in English. Another language is another file of this shape. */

export const en = {
  title: (type: string, title: string) => `${type}: ${title}`,
  facts: {
    status: "Status",
    position: "Position in the queue",
    level: "Request level",
    patron: "Patron",
    group: "Group",
    proxy: "Placed by the proxy",
    wanted: "Title",
    item: "Item",
    pickup: "Pickup service point",
    delivery: "To be delivered to",
    requested: "Requested",
    until: "Request expiration date",
    kept: "On the hold shelf until",
    comments: "Patron's comment",
    tags: "Tags",
    cancelled: "Cancelled",
  },
  levels: { Item: "this item", Title: "any item of the title" } as Record<string, string>,
  positionOf: (position: number) => `position ${position}`,
  commentsStay: "FOLIO lets nobody change what the patron has written.",
  wantedUntil: (day: string) => `request expires ${day}`,
  delivered: "to be delivered",
  keys: "Alt with an arrow up or down moves the row that has the focus, with Home to the front, with End to the end.",
  moved: (name: string, position: number, of: number) => `${name} is now at position ${position} of ${of}`,
  staysFirst: (name: string) => `${name} cannot be moved there: requests whose fulfilment has begun stay first.`,
};

export type RequestWords = typeof en;
