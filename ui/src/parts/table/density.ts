/** How close the rows of tables stand; kept in the browser, because it is about its screen. */

import { store } from "../../shell/store.ts";

export const ROW_HEIGHTS = { dense: 24, roomy: 36 } as const;
export type Density = keyof typeof ROW_HEIGHTS;

export const tables = store<{ density: Density }>(
  { density: "dense" },
  { name: "octavo.tables", in: () => localStorage },
);
