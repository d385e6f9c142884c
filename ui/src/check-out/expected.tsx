/** The expected due date of a scan that waits for the connection, marked as expected. */

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { findExpectedDueDate } from "../offline/expected.ts";
import { dueDates } from "../offline/luggage.ts";
import { Choice } from "../parts/choice.tsx";
import { useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { type CheckOutScan, checkOuts, visit } from "./session.ts";

export function ExpectedDue({ scan }: { scan: CheckOutScan }) {
  const words = useWords();
  const formats = useFormats();
  const { patron, sponsor, group: chosen } = visit.use();
  const borrower = sponsor ?? patron;
  const known = borrower?.id ? borrower : undefined;
  const group = known?.patronGroup ?? chosen;
  const { servicePointId } = scan.order;
  const { data: expected } = useQuery({
    queryKey: ["expected", scan.key, group],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => findExpectedDueDate({ barcode: scan.barcode, at: scan.at, servicePointId, group, borrower: known }),
  });
  const due = expected?.is === "due" ? expected.at : undefined;
  // The expected date is kept with the scan and compared with the server's answer later.
  useEffect(() => checkOuts.noteExpectedDue(scan.key, due), [scan.key, due]);
  return (
    <p className="due expected">
      {due !== undefined
        ? words.checkOut.expected(formats.due(due))
        : expected?.is === "notLent"
          ? words.checkOut.expectedNotLent
          : words.checkOut.expectedUnknown}
    </p>
  );
}

/** Asks staff for the patron group of a patron who could not be looked up; many cards show it. */
export function UnknownPatronGroup() {
  const words = useWords();
  const { group } = visit.use();
  const here = useServicePoint();
  const { data: groups = [] } = useQuery({
    queryKey: ["groups packed", here?.id],
    enabled: here !== undefined,
    queryFn: async () => (await dueDates(here?.id ?? ""))?.groups ?? [],
  });
  if (groups.length === 0) return null;
  return (
    <Choice
      label={words.checkOut.groupOfUnknown}
      options={groups}
      value={group ?? null}
      onChange={(group) => visit.set((now) => ({ ...now, group }))}
    />
  );
}
