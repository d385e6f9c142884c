/** The plan of an action on many rows: which rows would be changed, and what the server would refuse. */

import { useEffect, useRef, useState } from "react";
import { useMember } from "../../shell/session.ts";
import type { ListRow } from "../row.ts";
import { type BulkAction, type BulkContext, type FormValues, rowLabel } from "./actions.ts";
import type { JobEntry } from "./job.ts";
import { canBeTried, carryOut, type OrderResult } from "./orders.ts";

export interface PlannedRow {
  row: ListRow;
  entry: JobEntry;
}

export function planRows(
  action: Pick<BulkAction, "suits" | "order">,
  rows: readonly ListRow[],
  said: FormValues,
  around: BulkContext,
) {
  return rows.flatMap((row): PlannedRow[] => {
    const order = action.suits(row) ? action.order(row, said, around) : undefined;
    return order ? [{ row, entry: { label: rowLabel(row), barcode: row.barcode ?? "", order } }] : [];
  });
}

export type TrialResult = { answer: OrderResult } | { error: unknown };

/** How many rows are tried at most: more would take too long. */
export const MAX_TRIED = 200;

/** Has the server try the changes one by one (dry run). Only Octavo can: FOLIO's modules would carry them out. */
export function useTrial(plan: readonly PlannedRow[]): { tried: readonly TrialResult[]; total: number } {
  const { permissions } = useMember();
  const isOctavo = [...permissions].some((one) => one.startsWith("octavo."));
  const first = useRef(plan.filter(({ entry }) => isOctavo && canBeTried(entry.order)).slice(0, MAX_TRIED)).current;
  const [tried, setTried] = useState<readonly TrialResult[]>([]);
  useEffect(() => {
    let isWanted = true;
    const tryAll = async () => {
      const results: TrialResult[] = [];
      for (const { entry } of first) {
        const result: TrialResult = await carryOut(entry.order, true).then(
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
  return { tried, total: first.length };
}
