/** Start page of authorities: search, and browsing headings. */

import { useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import { Link, useLocation } from "wouter";
import { NEEDS as MARC } from "../marc/needs.ts";
import { useAltKey } from "../parts/alt-key.ts";
import { useAddress } from "../parts/search-line.tsx";
import { useMay } from "../shell/session.ts";
import { BrowseHeadings } from "./browse.tsx";
import { NEEDS } from "./calls.ts";
import { SearchHeadings } from "./search.tsx";
import { useHeadingWords } from "./words/index.tsx";

const [SEARCH, BROWSE] = ["search", "browse"];

export function HomePage() {
  const own = useHeadingWords();
  const may = useMay();
  const mayBrowse = may(NEEDS.browse);
  const [get, set] = useAddress();
  const tab = mayBrowse && get("tab") === BROWSE ? BROWSE : SEARCH;
  // If the tab was chosen by keyboard, the focus stays on the tabs.
  const [pressed, setPressed] = useState<string>();
  const isArrival = pressed !== tab;
  const open = (tab: string) => {
    setPressed(tab);
    const nowhere = { from: undefined, after: undefined, before: undefined };
    set({ ...nowhere, tab: tab === BROWSE ? BROWSE : undefined }, true);
  };
  return (
    <div className="table-page">
      <h1 className="unseen">{own.title}</h1>
      <div className="authority-links">
        {may(NEEDS.changes) && (
          <Link className="button" href="/authorities/changes">
            {own.changes.title}
          </Link>
        )}
        {may(MARC.make) && <NewAuthority />}
      </div>
      <Tabs className="tabs" selectedKey={tab} onSelectionChange={(tab) => open(String(tab))}>
        <TabList className="tab-list" aria-label={own.tabs}>
          <Tab className="tab" id={SEARCH}>
            {own.searchTab}
          </Tab>
          {mayBrowse && (
            <Tab className="tab" id={BROWSE}>
              {own.browse}
            </Tab>
          )}
        </TabList>
        <TabPanel className="tab-panel" id={SEARCH}>
          <SearchHeadings isArrival={isArrival} />
        </TabPanel>
        <TabPanel className="tab-panel" id={BROWSE}>
          <BrowseHeadings isArrival={isArrival} />
        </TabPanel>
      </Tabs>
    </div>
  );
}

function NewAuthority() {
  const own = useHeadingWords();
  const [, navigate] = useLocation();
  useAltKey("N", () => navigate("/marc/authority/new"));
  return (
    <Link className="button" href="/marc/authority/new" aria-keyshortcuts="Alt+N">
      {own.make}
    </Link>
  );
}
