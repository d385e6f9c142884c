/** The inventory page: a tab to search titles, and a tab for each browse list. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import { Link, useLocation } from "wouter";
import { hasClassificationBrowse } from "../api/search.ts";
import { useAltKey } from "../parts/alt-key.ts";
import { useAddress } from "../parts/search-line.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { BrowseTab } from "./browse.tsx";
import { BROWSE_LISTS, LIST_NAMES, type ListName } from "./browsing.ts";
import { SearchTitles } from "./search.tsx";
import { useInventoryWords } from "./words/index.tsx";
import { useRecordWords } from "./words/records.tsx";
import "../style/inventory.css";

const SEARCH_TAB = "search";

export default function InventoryPage() {
  const words = useWords();
  const own = useInventoryWords();
  const lists = useBrowseLists();
  const [get, set] = useAddress();
  const tab = lists.find((list) => list === get("tab")) ?? SEARCH_TAB;
  // Whoever moves along the tabs by arrow keys keeps the focus there.
  const [pressed, setPressed] = useState<string>();
  const isArrival = pressed !== tab;
  const open = (tab: string) => {
    setPressed(tab);
    const nowhere = { from: undefined, after: undefined, before: undefined, type: undefined };
    set({ ...nowhere, tab: tab === SEARCH_TAB ? undefined : tab }, true);
  };
  return (
    <div className="desk-page inventory">
      <header className="head">
        <h1>{words.pages.inventory}</h1>
        <NewTitleLink />
      </header>
      <Tabs className="tabs" selectedKey={tab} onSelectionChange={(tab) => open(String(tab))}>
        <TabList className="tab-list" aria-label={own.tabs}>
          <Tab className="tab" id={SEARCH_TAB}>
            {own.search}
          </Tab>
          {lists.map((list) => (
            <Tab className="tab" id={list} key={list}>
              {own.browse.lists[list]}
            </Tab>
          ))}
        </TabList>
        <TabPanel className="tab-panel" id={SEARCH_TAB}>
          <SearchTitles isArrival={isArrival} />
        </TabPanel>
        {lists.map((list) => (
          <TabPanel className="tab-panel" id={list} key={list}>
            <BrowseTab list={list} isArrival={isArrival} />
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}

function NewTitleLink() {
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

/** The browse lists that the user may see and that the library's index has. */
function useBrowseLists(): ListName[] {
  const may = useMay();
  const mayAsk = may("search.config.features.collection.get");
  const classified = useQuery({ ...hasClassificationBrowse, enabled: mayAsk }).data ?? false;
  return LIST_NAMES.filter((list) => may(BROWSE_LISTS[list].needs) && (list !== "classifications" || classified));
}
