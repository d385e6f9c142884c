/** The page "Lists": open, overdue, lost, missing, in transit, requested items; and item lists of the user. */

import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { FILTERS } from "./asked.ts";
import { Carts } from "./carts/page.tsx";
import { LIST_KINDS, LIST_NAMES } from "./kinds.ts";
import { List } from "./list.tsx";
import { useListWords } from "./words/index.tsx";
import "./lists.css";

const ITEM_LISTS_PATH = "/lists/items";

export default function Lists() {
  const [path] = useLocation();
  const may = useMay();
  const mayHaveCarts = may("inventory.items.collection.get");
  const nav = mayHaveCarts && <ListTabs here={path === ITEM_LISTS_PATH ? ITEM_LISTS_PATH : "/lists"} />;
  return path === ITEM_LISTS_PATH && mayHaveCarts ? <Carts nav={nav} /> : <PredefinedLists nav={nav} />;
}

function ListTabs({ here }: { here: string }) {
  const own = useListWords();
  const parts = { "/lists": own.title, [ITEM_LISTS_PATH]: own.carts.title };
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

/** The predefined lists, whose rows the server finds. */
function PredefinedLists({ nav }: { nav: ReactNode }) {
  const words = useWords();
  const own = useListWords();
  const may = useMay();
  const [get, set] = useAddress();
  const names = LIST_NAMES.filter((name) => may(...LIST_KINDS[name].needs));
  const name = names.find((one) => one === get("list")) ?? names[0];
  if (name === undefined) return <p className="banner warn">{words.noAccess(own.title)}</p>;
  return (
    <div className="table-page">
      <h1 className="unseen">{`${own.title}: ${own.lists[name]}`}</h1>
      <List
        name={name}
        label={own.lists[name]}
        kind={LIST_KINDS[name]}
        choice={
          <>
            {nav}
            <Choice
              className="inline list-choice"
              label={own.list}
              hideLabel
              options={names.map((id) => ({ id, name: own.lists[id] }))}
              value={name}
              // The order, columns and filters of the former list do not fit this one.
              onChange={(list) =>
                set({ ...Object.fromEntries([...FILTERS, ...TABLE_PARAMETERS].map(unsetParameter)), list }, true)
              }
            />
          </>
        }
      />
    </div>
  );
}

const TABLE_PARAMETERS = ["sort", "columns", "find"];
const unsetParameter = (name: string) => [name, undefined] as const;
