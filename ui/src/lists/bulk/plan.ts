/** What would happen to the ticked rows: which are changed, which cannot be, and what the server would refuse. */

import { useEffect, useRef, useState } from "react";
import { useMember } from "../../shell/session.ts";
import type { ListRow } from "../row.ts";
import { type Around, type BulkAction, labelOf, type Said } from "./actions.ts";
import type { Entry } from "./job.ts";
import { type Answer, canBeTried, carriedOut } from "./orders.ts";

export interface Planned {
  row: ListRow;
  entry: Entry;
}

export function planned(
  action: Pick<BulkAction, "suits" | "order">,
  rows: readonly ListRow[],
  said: Said,
  around: Around,
) {
  return rows.flatMap((row): Planned[] => {
    const order = action.suits(row) ? action.order(row, said, around) : undefined;
    return order ? [{ row, entry: { label: labelOf(row), barcode: row.barcode ?? "", order } }] : [];
  });
}

export type Tried = { answer: Answer } | { error: unknown };

/** More would make somebody wait. */
export const MOST_TRIED = 200;

/** Has the server try them one by one. Only Octavo knows how to: FOLIO's modules would do it at once. */
export function useTrial(plan: readonly Planned[]): { tried: readonly Tried[]; of: number } {
  const { permissions } = useMember();
  const isOctavo = [...permissions].some((one) => one.startsWith("octavo."));
  const first = useRef(plan.filter(({ entry }) => isOctavo && canBeTried(entry.order)).slice(0, MOST_TRIED)).current;
  const [tried, setTried] = useState<readonly Tried[]>([]);
  useEffect(() => {
    let isWanted = true;
    const tryAll = async () => {
      const results: Tried[] = [];
      for (const { entry } of first) {
        const result: Tried = await carriedOut(entry.order, true).then(
          (answer) => ({ answer }),
          (error: unknown) => ({ error }),
        );
        if (!isWanted) return;
        results.push(result);
        setTried([...results]);
      }
    };
    void tryAll();
    return () => {
      isWanted = false;
    };
  }, [first]);
  return { tried, of: first.length };
}
