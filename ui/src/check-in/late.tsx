/** An item that was returned late: its due date, and the fees/fines that are owed for it. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import type { Loan } from "../api/records.ts";
import { Icon } from "../parts/icons.tsx";
import { playSignal } from "../scanning/signals.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { loadFeesOwed } from "./session.ts";

export function LateReturn({ loan, isNew }: { loan: Loan; isNew: boolean }) {
  const words = useWords();
  const formats = useFormats();
  const late = Date.parse(loan.returnDate ?? "") > Date.parse(loan.dueDate);
  const owed =
    useQuery({
      queryKey: ["loan", loan.id, "owed"],
      enabled: late,
      queryFn: () => loadFeesOwed(loan.id),
    }).data ?? 0;
  const due = useRef(isNew);
  useEffect(() => {
    if (!due.current || owed <= 0) return;
    due.current = false;
    playSignal("fee");
  }, [owed]);
  if (!late) return null;
  return (
    <p className={owed > 0 ? "signal fee" : "signal late"}>
      <Icon name={owed > 0 ? "fee" : "waiting"} />
      <span>
        {words.checkIn.late(formats.due(loan.dueDate))}
        {owed > 0 && (
          <>
            {" · "}
            <Link href={`/patrons/${loan.userId}?show=fees`}>{words.patron.owes(formats.money(owed))}</Link>
          </>
        )}
      </span>
    </p>
  );
}
