/** How high the rows of tables are. Kept in the browser, since it depends on its screen. */

import { store } from "../../shell/store.ts";

export const ROW_HEIGHTS = { dense: 24, roomy: 36 } as const;
export type Density = keyof typeof ROW_HEIGHTS;

export const tablePreferences = store<{ density: Density }>(
  { density: "dense" },
  { name: "octavo.tables", in: () => localStorage },
);
