/** The page of patrons: searches by barcode, name or e-mail address, and filters by group, fees or registration. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { patronGroups } from "../api/library.ts";
import { hasFilters, MAX_FEES, type PatronFilters, searchPatrons } from "../api/patron-search.ts";
import type { User } from "../api/records.ts";
import { useAltKey } from "../parts/alt-key.ts";
import { Pager, usePage } from "../parts/pager.tsx";
import { Portrait, patronName } from "../parts/portrait.tsx";
import { SearchLine } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { Filters, usePatronFilters } from "./filters.tsx";
import { isExpired } from "./registration.ts";
import { usePatronWords } from "./words/index.tsx";
import "../style/patrons.css";
import { Code } from "../parts/code.tsx";

export default function PatronsPage() {
  const words = useWords();
  const wanted = usePatronFilters();
  return (
    <div className="desk-page">
      <header className="head">
        <h1>{words.pages.patrons}</h1>
        <RegisterLink />
      </header>
      <SearchLine label={words.patrons.search} help={words.patrons.searchHelp} />
      <Filters />
      {hasFilters(wanted) ? <FoundPatronList wanted={wanted} /> : <EmptyMessage>{words.patrons.ask}</EmptyMessage>}
    </div>
  );
}

function RegisterLink() {
  const words = usePatronWords();
  const may = useMay();
  const [, navigate] = useLocation();
  const permitted = may("users.item.post");
  useAltKey("N", () => permitted && navigate("/patrons/new"));
  if (!permitted) return null;
  return (
    <Link className="button" href="/patrons/new" aria-keyshortcuts="Alt+N">
      {words.make} <kbd>{words.makeKey}</kbd>
    </Link>
  );
}

function FoundPatronList({ wanted }: { wanted: PatronFilters }) {
  const words = useWords();
  const own = usePatronWords().filters;
  const formats = useFormats();
  const page = usePage();
  const found = useQuery({
    queryKey: ["patrons", wanted, page.offset],
    placeholderData: keepPreviousData,
    queryFn: () => searchPatrons(wanted, page),
  });
  if (found.isPending) return <Loading />;
  if (found.error) return <ErrorMessage error={found.error} retry={() => void found.refetch()} />;
  const { users, totalRecords, owed, isPartial } = found.data;
  return (
    <section aria-label={words.list.results}>
      <Pager total={totalRecords} />
      {isPartial && <p className="banner warn">{own.mostOwing(formats.number(MAX_FEES))}</p>}
      <ul className="rows">
        {users.map((user) => (
          <PatronRow key={user.id} user={user} owes={owed?.get(user.id)} />
        ))}
      </ul>
    </section>
  );
}

/** Shows barcode, date of birth and group, which tell patrons of the same name apart. */
function PatronRow({ user, owes }: { user: User; owes: number | undefined }) {
  const words = useWords();
  const own = usePatronWords();
  const formats = useFormats();
  const groups = useQuery(patronGroups).data;
  const born = user.personal?.dateOfBirth;
  return (
    <li className="row">
      <div className="who">
        <Portrait user={user} />
        <div className="what">
          <Link href={`/patrons/${user.id}`}>{patronName(user)}</Link>
          <small>
            <Code>{user.barcode}</Code> {born && own.namesakes.born(formats.date(born))}
          </small>
          <small>{user.personal?.email}</small>
        </div>
      </div>
      <p className="due quiet">
        {groups?.find(({ id }) => id === user.patronGroup)?.group}
        {user.active === false && <span className="bad"> · {words.patron.inactive}</span>}
        {user.expirationDate && isExpired(user) && (
          <span className="bad"> · {words.patron.expired(formats.day(user.expirationDate))}</span>
        )}
        {owes !== undefined && <span className="bad"> · {words.patron.owes(formats.money(owes))}</span>}
      </p>
    </li>
  );
}
