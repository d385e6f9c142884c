/** Inventory: what the library has, and whether it is there. Titles are searched, or found by leafing through a list. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import { Link, useLocation } from "wouter";
import { classificationsAreListed } from "../api/search.ts";
import { useAltKey } from "../parts/alt-key.ts";
import { useAddress } from "../parts/search-line.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { Browse } from "./browse.tsx";
import { LIST_NAMES, LISTS, type ListName } from "./browsing.ts";
import { SearchTitles } from "./search.tsx";
import { useInventoryWords } from "./words/index.tsx";
import { useRecordWords } from "./words/records.tsx";
import "../style/inventory.css";

const SEARCH = "search";

export default function Inventory() {
  const words = useWords();
  const own = useInventoryWords();
  const lists = useLists();
  const [get, set] = useAddress();
  const tab = lists.find((list) => list === get("tab")) ?? SEARCH;
  // Whoever goes along the tabs by arrow keys stays there.
  const [pressed, setPressed] = useState<string>();
  const isArrival = pressed !== tab;
  const open = (tab: string) => {
    setPressed(tab);
    const nowhere = { from: undefined, after: undefined, before: undefined, type: undefined };
    set({ ...nowhere, tab: tab === SEARCH ? undefined : tab }, true);
  };
  return (
    <div className="desk-page inventory">
      <header className="head">
        <h1>{words.pages.inventory}</h1>
        <NewTitle />
      </header>
      <Tabs className="tabs" selectedKey={tab} onSelectionChange={(tab) => open(String(tab))}>
        <TabList className="tab-list" aria-label={own.tabs}>
          <Tab className="tab" id={SEARCH}>
            {own.search}
          </Tab>
          {lists.map((list) => (
            <Tab className="tab" id={list} key={list}>
              {own.browse.lists[list]}
            </Tab>
          ))}
        </TabList>
        <TabPanel className="tab-panel" id={SEARCH}>
          <SearchTitles isArrival={isArrival} />
        </TabPanel>
        {lists.map((list) => (
          <TabPanel className="tab-panel" id={list} key={list}>
            <Browse list={list} isArrival={isArrival} />
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}

function NewTitle() {
  const words = useRecordWords();
  const may = useMay();
  const [, navigate] = useLocation();
  const permitted = may("inventory.instances.item.post");
  useAltKey("N", () => permitted && navigate("/inventory/new"));
  if (!permitted) return null;
  return (
    <Link className="button" href="/inventory/new" aria-keyshortcuts="Alt+N">
      {words.newTitle} <kbd>{words.newTitleKey}</kbd>
    </Link>
  );
}

/** Those that one may see and that the library has. */
function useLists(): ListName[] {
  const may = useMay();
  const mayAsk = may("search.config.features.collection.get");
  const classified = useQuery({ ...classificationsAreListed, enabled: mayAsk }).data ?? false;
  return LIST_NAMES.filter((list) => may(LISTS[list].needs) && (list !== "classifications" || classified));
}
