/** The page of requests: open requests, pick slips, the hold shelf, and requests that were not picked up. */

import { type ReactNode, Suspense } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import { FILTERS } from "../lists/asked.ts";
import { List } from "../lists/list.tsx";
import { REQUEST_VIEWS, type RequestView } from "../lists/request-kinds.ts";
import { useAddress } from "../parts/search-line.tsx";
import { useWords } from "../words/index.tsx";
import { PickSlips } from "./pick-slips.tsx";
import "../lists/lists.css";
import "./requests.css";
import { later } from "../parts/later.ts";

const Detail = later(() => import("./detail.tsx"));

const VIEWS = Object.keys(REQUEST_VIEWS) as RequestView[];

export default function RequestsPage() {
  const words = useWords();
  const [get, set] = useAddress();
  const asked = get("view");
  const view = VIEWS.find((one) => one === asked) ?? (asked === "pick" ? "pick" : "open");
  const opened = get("request");
  return (
    <div className="table-page">
      <h1 className="unseen">{words.pages.requests}</h1>
      <Tabs
        className="tabs"
        selectedKey={view}
        // Order, columns and filters belong to the previous tab.
        onSelectionChange={(view) =>
          set({ ...CLEARED_PARAMETERS, view: view === "open" ? undefined : String(view) }, true)
        }
      >
        <TabList className="tab-list" aria-label={words.pages.requests}>
          {[...VIEWS, "pick" as const].map((view) => (
            <Tab className="tab" id={view} key={view}>
              {words.requests.views[view]}
            </Tab>
          ))}
        </TabList>
        {VIEWS.map((one) => (
          <Panel id={one} key={one}>
            <List
              name={`requests/${one}`}
              label={words.requests.views[one]}
              kind={REQUEST_VIEWS[one]}
              emptyText={words.requests.none[one]}
              onOpen={({ key }) => set({ request: key }, true)}
            />
          </Panel>
        ))}
        <Panel id="pick">
          <PickSlips />
        </Panel>
      </Tabs>
      {opened && (
        <Suspense fallback={null}>
          <Detail id={opened} onClose={() => set({ request: undefined })} />
        </Suspense>
      )}
    </div>
  );
}

const Panel = ({ id, children }: { id: string; children: ReactNode }) => (
  <TabPanel className="tab-panel" id={id}>
    {children}
  </TabPanel>
);

const CLEARED_PARAMETERS = Object.fromEntries(
  [...FILTERS, "sort", "columns", "find", "request"].map((name) => [name, undefined]),
);
