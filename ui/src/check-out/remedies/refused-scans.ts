/** The scans of a visit that were refused for who borrows, and how they go out again once that has changed. */

import type { User } from "../../api/records.ts";
import type { OverrideBlocks } from "../../loans/override.tsx";
import { helpFor, overridable } from "../../loans/refusal-words.ts";
import { type Lending, lending } from "../session.ts";

const OF_PATRON: readonly (string | undefined)[] = ["blocked", "limit", "inactiveOrExpired"];

/** Of everything that waits at this desk; what was refused for the item too is left where it is. */
export function refusedTo(scans: readonly Lending[], { barcode }: User): Lending[] {
  return scans.filter(
    ({ order, state }) =>
      order.userBarcode === barcode &&
      state.is === "refused" &&
      state.refusals.every((refusal) => OF_PATRON.includes(helpFor(refusal))),
  );
}

export function sendAgain(patron: User): void {
  for (const { key } of refusedTo(lending.scans.get(), patron)) lending.again(key);
}

const blocksOf = ({ state }: Lending): string[] => {
  const found = state.is === "refused" ? overridable(state.refusals) : undefined;
  return found?.permitted ? found.blocks : [];
};

/** The blocks that stand against any of them and that this member may override. */
export const togetherOverridable = (scans: readonly Lending[]): string[] => [...new Set(scans.flatMap(blocksOf))];

/** Each is sent with the blocks that stand against itself: the server refuses an override of what does not block. */
export function overrideAll(scans: readonly Lending[], said: OverrideBlocks): void {
  for (const scan of scans) {
    const own = blocksOf(scan);
    if (own.length === 0) continue;
    const named = Object.fromEntries(own.map((block) => [block, said[block]]));
    lending.again(scan.key, { ...scan.order, overrideBlocks: { ...named, comment: said.comment } });
  }
}
