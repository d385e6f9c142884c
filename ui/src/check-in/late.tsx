/** An item that came back late: when it was due, and what is owed for it. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import type { Loan } from "../api/records.ts";
import { Icon } from "../parts/icons.tsx";
import { sound } from "../scanning/signals.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { owedFor } from "./session.ts";

export function Late({ loan, fresh }: { loan: Loan; fresh: boolean }) {
  const words = useWords();
  const formats = useFormats();
  const late = Date.parse(loan.returnDate ?? "") > Date.parse(loan.dueDate);
  const owed =
    useQuery({
      queryKey: ["loan", loan.id, "owed"],
      enabled: late,
      queryFn: () => owedFor(loan.id),
    }).data ?? 0;
  const due = useRef(fresh);
  useEffect(() => {
    if (!due.current || owed <= 0) return;
    due.current = false;
    sound("fee");
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
