/** Lists for work behind the desk: what is out, late, lost, missing, on its way, waited for; and lists of one's own. */

import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { FILTERS } from "./asked.ts";
import { Carts } from "./carts/page.tsx";
import { KINDS, LIST_NAMES } from "./kinds.ts";
import { List } from "./list.tsx";
import { useListWords } from "./words/index.tsx";
import "./lists.css";

const CARTS = "/lists/items";

export default function Lists() {
  const [path] = useLocation();
  const may = useMay();
  const mayHaveCarts = may("inventory.items.collection.get");
  const nav = mayHaveCarts && <Parts here={path === CARTS ? CARTS : "/lists"} />;
  return path === CARTS && mayHaveCarts ? <Carts nav={nav} /> : <Standing nav={nav} />;
}

function Parts({ here }: { here: string }) {
  const own = useListWords();
  const parts = { "/lists": own.title, [CARTS]: own.carts.title };
  return (
    <nav className="list-parts" aria-label={own.title}>
      {Object.entries(parts).map(([path, name]) => (
        <Link key={path} href={path} aria-current={path === here ? "page" : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** The lists that the server knows of. */
function Standing({ nav }: { nav: ReactNode }) {
  const words = useWords();
  const own = useListWords();
  const may = useMay();
  const [get, set] = useAddress();
  const names = LIST_NAMES.filter((name) => may(...KINDS[name].needs));
  const name = names.find((one) => one === get("list")) ?? names[0];
  if (name === undefined) return <p className="banner warn">{words.noAccess(own.title)}</p>;
  return (
    <div className="table-page">
      <h1 className="unseen">{`${own.title}: ${own.lists[name]}`}</h1>
      <List
        name={name}
        label={own.lists[name]}
        kind={KINDS[name]}
        choice={
          <>
            {nav}
            <Choice
              className="inline list-choice"
              label={own.list}
              hideLabel
              options={names.map((id) => ({ id, name: own.lists[id] }))}
              value={name}
              // Order, columns and filters are the other list's.
              onChange={(list) => set({ ...Object.fromEntries([...FILTERS, ...OF_TABLE].map(none)), list }, true)}
            />
          </>
        }
      />
    </div>
  );
}

const OF_TABLE = ["sort", "columns", "find"];
const none = (name: string) => [name, undefined] as const;
