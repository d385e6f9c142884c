/** Patrons: who are you, by card, by name, by e-mail. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { patronGroups } from "../api/library.ts";
import { searchPatrons } from "../api/patrons.ts";
import { Pager, usePage } from "../parts/pager.tsx";
import { nameOf, Portrait } from "../parts/portrait.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { useFormats, useWords } from "../words/index.tsx";

export default function Patrons() {
  const words = useWords();
  const [get] = useAddress();
  const text = get("query");
  return (
    <div className="desk-page">
      <h1>{words.pages.patrons}</h1>
      <SearchLine label={words.patrons.search} help={words.patrons.searchHelp} />
      {text ? <Found text={text} /> : <Empty>{words.patrons.ask}</Empty>}
    </div>
  );
}

function Found({ text }: { text: string }) {
  const words = useWords();
  const formats = useFormats();
  const page = usePage();
  const groups = useQuery(patronGroups).data;
  const found = useQuery({
    queryKey: ["patrons", text, page.offset],
    placeholderData: keepPreviousData,
    queryFn: () => searchPatrons(text, page),
  });
  if (found.isPending) return <Loading />;
  if (found.error) return <Trouble error={found.error} retry={() => void found.refetch()} />;
  const { users, totalRecords } = found.data;
  return (
    <section aria-label={words.list.results}>
      <Pager total={totalRecords} />
      <ul className="rows">
        {users.map((user) => (
          <li className="row" key={user.id}>
            <div className="who">
              <Portrait user={user} />
              <div className="what">
                <Link href={`/patrons/${user.id}`}>{nameOf(user)}</Link>
                <small>
                  <span className="code">{user.barcode}</span> {user.personal?.email}
                </small>
              </div>
            </div>
            <p className="due quiet">
              {groups?.find(({ id }) => id === user.patronGroup)?.group}
              {user.active === false && <span className="bad"> · {words.patron.inactive}</span>}
              {user.expirationDate && Date.parse(user.expirationDate) < Date.now() && (
                <span className="bad"> · {words.patron.expired(formats.day(user.expirationDate))}</span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
