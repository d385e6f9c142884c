/** What is said about one request, in English. Another language is another file of this shape. */

export const en = {
  title: (type: string, title: string) => `${type}: ${title}`,
  facts: {
    status: "Status",
    position: "Place in the queue",
    level: "Requested is",
    patron: "Patron",
    group: "Group",
    proxy: "Placed by the proxy",
    wanted: "Title",
    item: "Copy",
    pickup: "To pick up at",
    delivery: "To be delivered to",
    requested: "Requested",
    until: "Wanted until",
    kept: "On the hold shelf until",
    comments: "Patron's comment",
    tags: "Tags",
    cancelled: "Cancelled",
  },
  levels: { Item: "this copy", Title: "any copy of the title" } as Record<string, string>,
  positionOf: (position: number) => `number ${position}`,
  commentsStay: "FOLIO lets nobody change what the patron has written.",
  wantedUntil: (day: string) => `wanted until ${day}`,
  delivered: "to be delivered",
  keys: "Alt with an arrow up or down moves the row that has the focus, with Home to the front, with End to the end.",
  moved: (name: string, position: number, of: number) => `${name} is now number ${position} of ${of}`,
  staysFirst: (name: string) => `${name} cannot be moved there: what has been fetched already comes first.`,
};

export type RequestWords = typeof en;
