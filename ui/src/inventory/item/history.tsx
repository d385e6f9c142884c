/** The open loan and the earlier loans of an item, as far as the library keeps them, and its last check-in. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { loansOfItem, MAX_LOANS, staffMember } from "../../api/items.ts";
import { servicePoints } from "../../api/library.ts";
import type { Loan } from "../../api/records.ts";
import { DueDateReasonsButton } from "../../loans/why.tsx";
import { borrowerName, patronName } from "../../parts/portrait.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import { useRecordWords } from "../words/records.tsx";

export function LoanHistory({ itemId }: { itemId: string }) {
  const own = useRecordWords().itemPage;
  const formats = useFormats();
  const mayRead = useMay()("circulation.loans.collection.get");
  const loans = useQuery({ ...loansOfItem(itemId), enabled: mayRead });
  if (!mayRead) return null;
  if (loans.isPending) return <Loading />;
  if (loans.error) return <ErrorMessage error={loans.error} retry={() => void loans.refetch()} />;
  const all = loans.data.loans;
  const open = all.filter(({ status }) => status?.name === "Open");
  const closed = all.filter((loan) => !open.includes(loan));
  return (
    <>
      {open.length > 0 && (
        <section>
          <h2>{own.openLoan}</h2>
          <ul className="rows">
            {open.map((loan) => (
              <LoanHistoryRow key={loan.id} loan={loan} isOpen />
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>
          {own.history} {closed.length > 0 && <small>{own.loans(loans.data.totalRecords)}</small>}
        </h2>
        {closed.length === 0 ? (
          <EmptyMessage>{own.noHistory}</EmptyMessage>
        ) : (
          <ul className="rows">
            {closed.map((loan) => (
              <LoanHistoryRow key={loan.id} loan={loan} />
            ))}
          </ul>
        )}
        {loans.data.totalRecords > MAX_LOANS && (
          <p className="help">{own.newestOnly(MAX_LOANS, formats.number(loans.data.totalRecords))}</p>
        )}
      </section>
    </>
  );
}

function LoanHistoryRow({ loan, isOpen = false }: { loan: Loan; isOpen?: boolean }) {
  const words = useWords();
  const own = useRecordWords().itemPage;
  const formats = useFormats();
  const isOverdue = isOpen && Date.parse(loan.dueDate) < Date.now();
  const places = [loan.checkoutServicePoint?.name, loan.checkinServicePoint?.name]
    .filter(Boolean)
    .join(` ${formats.arrow} `);
  return (
    <li className="row">
      <div className="what">
        {loan.userId ? (
          <Link href={`/patrons/${loan.userId}`}>{borrowerName(loan) || words.unknown}</Link>
        ) : (
          <span>{own.forgotten}</span>
        )}
        <small>
          {[own.lent(formats.moment(loan.loanDate)), loan.loanPolicy?.name, places].filter(Boolean).join(" · ")}
        </small>
      </div>
      <p className={isOverdue ? "due bad" : "due quiet"}>
        {isOpen
          ? words.checkOut.due(formats.due(loan.dueDate))
          : words.patrons.returned(formats.due(loan.returnDate ?? loan.dueDate))}
      </p>
      {isOpen && (
        <div className="actions">
          <DueDateReasonsButton loan={loan} title={loan.item?.title ?? ""} />
        </div>
      )}
    </li>
  );
}

interface LastCheckInProps {
  dateTime?: string;
  servicePointId?: string;
  staffMemberId?: string;
}

export function LastCheckIn({ dateTime, servicePointId, staffMemberId }: LastCheckInProps) {
  const own = useRecordWords().itemPage;
  const formats = useFormats();
  const may = useMay();
  const where = useQuery(servicePoints).data?.find(({ id }) => id === servicePointId)?.name;
  const who = useQuery({ ...staffMember(staffMemberId ?? ""), enabled: !!staffMemberId && may("users.item.get") }).data;
  if (dateTime === undefined) return null;
  return (
    <p className="fact">
      {own.lastCheckIn([formats.moment(dateTime), where, who && patronName(who)].filter(Boolean).join(" · "))}
    </p>
  );
}
