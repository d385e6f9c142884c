/** The scans that were refused because of the patron, and how they are sent again once that has changed. */

import type { User } from "../../api/records.ts";
import type { OverrideBlocks } from "../../loans/override.tsx";
import { helpFor, overridableBlocks } from "../../loans/refusal-words.ts";
import { type CheckOutScan, checkOuts } from "../session.ts";

const PATRON_REFUSALS: readonly (string | undefined)[] = ["blocked", "limit", "inactiveOrExpired"];

/** The scans that were refused only because of this patron, in all visits at this desk. */
export function refusedScans(scans: readonly CheckOutScan[], { barcode }: User): CheckOutScan[] {
  return scans.filter(
    ({ order, state }) =>
      order.userBarcode === barcode &&
      state.is === "refused" &&
      state.refusals.every((refusal) => PATRON_REFUSALS.includes(helpFor(refusal))),
  );
}

export function resendRefusedScans(patron: User): void {
  for (const { key } of refusedScans(checkOuts.scans.get(), patron)) checkOuts.resend(key);
}

const permittedOverrides = ({ state }: CheckOutScan): string[] => {
  const found = state.is === "refused" ? overridableBlocks(state.refusals) : undefined;
  return found?.permitted ? found.blocks : [];
};

/** All blocks of these scans that this staff member may override. */
export const allPermittedOverrides = (scans: readonly CheckOutScan[]): string[] => [
  ...new Set(scans.flatMap(permittedOverrides)),
];

/** Each scan is sent with its own blocks only, since the server refuses the override of a block that does not apply. */
export function overrideAll(scans: readonly CheckOutScan[], said: OverrideBlocks): void {
  for (const scan of scans) {
    const own = permittedOverrides(scan);
    if (own.length === 0) continue;
    const named = Object.fromEntries(own.map((block) => [block, said[block]]));
    checkOuts.resend(scan.key, { ...scan.order, overrideBlocks: { ...named, comment: said.comment } });
  }
}
