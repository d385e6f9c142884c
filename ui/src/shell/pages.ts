/** The pages of the desk: where they are, which key leads there, and what one must be allowed to see them. */

import type { Words } from "../words/en.ts";

export type PageName = keyof Words["pages"];

interface Page {
  name: PageName;
  path: string;
  /** With Alt. */
  key: string;
  needs: readonly string[];
}

export const PAGES: readonly Page[] = [
  { name: "checkOut", path: "/check-out", key: "O", needs: ["circulation.check-out-by-barcode.post"] },
  { name: "checkIn", path: "/check-in", key: "I", needs: ["circulation.check-in-by-barcode.post"] },
  { name: "patrons", path: "/patrons", key: "P", needs: ["users.collection.get"] },
  { name: "inventory", path: "/inventory", key: "T", needs: ["search.instances.collection.get"] },
  { name: "requests", path: "/requests", key: "R", needs: ["circulation.requests.collection.get"] },
  { name: "settings", path: "/rules", key: "L", needs: ["circulation.rules.get"] },
  { name: "today", path: "/today", key: "H", needs: ["circulation.loans.collection.get"] },
];
