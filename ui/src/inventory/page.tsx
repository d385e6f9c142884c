/** Inventory: what the library has, and whether it is there. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { searchTitles, type Title } from "../api/inventory.ts";
import { Pager, usePage } from "../parts/pager.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { useWords } from "../words/index.tsx";

export default function Inventory() {
  const words = useWords();
  const [get] = useAddress();
  const text = get("query");
  return (
    <div className="desk-page">
      <h1>{words.pages.inventory}</h1>
      <SearchLine label={words.inventory.search} help={words.inventory.searchHelp} />
      {text ? <Found text={text} /> : <Empty>{words.inventory.ask}</Empty>}
    </div>
  );
}

function Found({ text }: { text: string }) {
  const words = useWords();
  const page = usePage();
  const found = useQuery({
    queryKey: ["titles", text, page.offset],
    placeholderData: keepPreviousData,
    queryFn: () => searchTitles(text, page),
  });
  if (found.isPending) return <Loading />;
  if (found.error) return <Trouble error={found.error} retry={() => void found.refetch()} />;
  return (
    <section aria-label={words.list.results}>
      <Pager total={found.data.totalRecords} />
      <ul className="rows">
        {found.data.instances.map((title) => (
          <li className="row" key={title.id}>
            <div className="what">
              <Link href={`/inventory/${title.id}`}>{title.title}</Link>
              <small>{imprint(title)}</small>
            </div>
            <Availability title={title} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Availability({ title: { items = [] } }: { title: Title }) {
  const words = useWords();
  const there = items.filter(({ status }) => status.name === "Available").length;
  return (
    <p className={there > 0 ? "due quiet good" : "due quiet"}>
      {items.length === 0 ? words.inventory.noCopies : words.inventory.there(there, items.length)}
    </p>
  );
}

/** Who, where, when, in a line. */
export function imprint({ contributors = [], publication = [] }: Title): string {
  const [who] = contributors;
  const [made] = publication;
  return [who?.name, [made?.publisher, made?.dateOfPublication].filter(Boolean).join(" ")].filter(Boolean).join(" · ");
}
