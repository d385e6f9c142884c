/** Shows the patron at the desk, and what staff should know before they check out items. */

import { useQuery } from "@tanstack/react-query";
import { memo, Suspense } from "react";
import { Link } from "wouter";
import { htmlToText, notes } from "../api/notes.ts";
import { activeBlocks, openAccounts, openLoans, openRequests, sponsors } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { Choice } from "../parts/choice.tsx";
import { Code } from "../parts/code.tsx";
import { later } from "../parts/later.ts";
import { PatronFacts, PatronHeading } from "../parts/patron-facts.tsx";
import { PopUpNotes } from "../parts/pop-up-notes.tsx";
import { patronName } from "../parts/portrait.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { UnknownPatronGroup } from "./expected.tsx";
import { BlockedRemediesButton } from "./remedies/button.tsx";
import { setSponsor, visit } from "./session.ts";

const OverrideButton = later(() => import("./override/button.tsx"));

export const PatronPanel = memo(function PatronPanel({ patron }: { patron: User }) {
  const words = useWords();
  const { id } = visit.use();
  if (patron.id === "") {
    return (
      <aside className="patron" aria-label={patronName(patron)}>
        <PatronHeading user={patron} />
        <p className="banner warn">{words.checkOut.unknownPatron}</p>
        <UnknownPatronGroup />
      </aside>
    );
  }
  return (
    <aside className="patron" aria-label={patronName(patron)}>
      <PopUpNotes user={patron} on="popUpOnCheckOut" key={id} />
      <PatronHeading user={patron} />
      <PatronFacts user={patron} />
      <BorrowingBlocks id={patron.id} />
      <BlockedRemediesButton patron={patron} />
      <LoansAndFees id={patron.id} />
      <Pickups id={patron.id} />
      <Notes id={patron.id} />
      <Sponsors id={patron.id} />
      <Link href={`/patrons/${patron.id}`}>{words.patron.details}</Link>
      {/* It comes when its code is there, and moves nothing down here. */}
      <Suspense fallback={null}>
        <OverrideButton patron={patron} />
      </Suspense>
    </aside>
  );
});

function BorrowingBlocks({ id }: { id: string }) {
  const words = useWords();
  const borrowing = useQuery(activeBlocks(id)).data?.filter((block) => block.borrowing) ?? [];
  return borrowing.map((block) => (
    <div className="banner bad" key={block.id}>
      <p>
        <strong>{words.patron.block}:</strong> {block.message}
      </p>
      {block.staff && <p>{block.staff}</p>}
    </div>
  ));
}

/** Has always the same height, so that nothing moves when the answers come. */
function LoansAndFees({ id }: { id: string }) {
  const words = useWords();
  const formats = useFormats();
  const loans = useQuery(openLoans(id)).data;
  const accounts = useQuery(openAccounts(id)).data;
  const overdue = loans?.loans.filter(({ dueDate }) => Date.parse(dueDate) < Date.now()).length ?? 0;
  const owed = accounts?.reduce((sum, { remaining }) => sum + remaining, 0) ?? 0;
  const out = loans?.totalRecords ?? 0;
  return (
    <ul className="standing">
      <li className={overdue > 0 ? "warn" : ""}>
        {loans && out > 0 && <Link href={`/patrons/${id}`}>{words.patron.loans(out, overdue)}</Link>}
        {loans ? out === 0 && words.patron.noLoans : "\u00a0"}
      </li>
      <li className={owed > 0 ? "warn" : ""}>
        {owed > 0 && <Link href={`/patrons/${id}?show=fees`}>{words.patron.owes(formats.money(owed))}</Link>}
        {accounts ? owed <= 0 && words.patron.owesNothing : "\u00a0"}
      </li>
    </ul>
  );
}

function Pickups({ id }: { id: string }) {
  const words = useWords();
  const waiting = useQuery(openRequests(id)).data?.filter(({ status }) => status === "Open - Awaiting pickup") ?? [];
  if (waiting.length === 0) return null;
  return (
    <div className="banner good">
      <p>
        <strong>{words.patron.pickups(waiting.length)}</strong>
      </p>
      <ul>
        {waiting.map((request) => (
          <li key={request.id}>
            {request.instance?.title} <Code>{request.item?.barcode}</Code>{" "}
            <small>{request.pickupServicePoint?.name}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Notes({ id }: { id: string }) {
  const words = useWords();
  const all = useQuery(notes(id)).data ?? [];
  return all.map((note) => (
    <div className="banner note" key={note.id}>
      <p>
        <strong>
          {words.patron.note}: {note.title}
        </strong>
      </p>
      {note.content && <p className="note-words">{htmlToText(note.content)}</p>}
    </div>
  ));
}

const NO_SPONSOR = "self";

function Sponsors({ id }: { id: string }) {
  const words = useWords();
  const all = useQuery(sponsors(id)).data ?? [];
  const { sponsor } = visit.use();
  if (all.length === 0) return null;
  const options = [
    { id: NO_SPONSOR, name: words.patron.forHimself },
    ...all.map((user) => ({ id: user.id, name: patronName(user) })),
  ];
  return (
    <Choice
      label={words.checkOut.asProxy}
      options={options}
      value={sponsor?.id ?? NO_SPONSOR}
      onChange={(chosen) => setSponsor(all.find((user) => user.id === chosen))}
    />
  );
}
