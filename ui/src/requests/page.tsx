/** Requests: what is waited for, what to fetch, what lies on the hold shelf, what was not fetched. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import { all, any, begins, is, sorted } from "../api/cql.ts";
import { list } from "../api/list.ts";
import { Button } from "../parts/button.tsx";
import { Pager, usePage } from "../parts/pager.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { useServicePoint } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { exportCsv } from "./csv.ts";
import { PickSlips } from "./pick-slips.tsx";
import { RequestRow } from "./request-row.tsx";

/** Each view of the list: its filter at a service point, and what comes first. */
const VIEWS = {
  open: { filter: () => 'status="Open"', by: "requestDate" },
  shelf: {
    filter: (here: string) => all(is("status", "Open - Awaiting pickup"), is("pickupServicePointId", here)),
    by: "holdShelfExpirationDate",
  },
  expired: {
    filter: (here: string) => all(is("status", "Closed - Pickup expired"), is("pickupServicePointId", here)),
    by: "holdShelfExpirationDate/sort.descending",
  },
  closed: { filter: () => 'status="Closed"', by: "requestDate/sort.descending" },
} as const;
type View = keyof typeof VIEWS;

export default function Requests() {
  const words = useWords();
  const [get, set] = useAddress();
  const views = Object.keys(VIEWS) as View[];
  return (
    <div className="desk-page">
      <h1>{words.pages.requests}</h1>
      <Tabs
        className="tabs"
        selectedKey={get("view") || "open"}
        onSelectionChange={(view) => set({ view: view === "open" ? undefined : String(view), page: undefined })}
      >
        <TabList className="tab-list" aria-label={words.pages.requests}>
          {views.map((view) => (
            <Tab className="tab" id={view} key={view}>
              {words.requests.views[view]}
            </Tab>
          ))}
          <Tab className="tab" id="pick">
            {words.requests.views.pick}
          </Tab>
        </TabList>
        {views.map((view) => (
          <TabPanel className="tab-panel" id={view} key={view}>
            <Listed view={view} />
          </TabPanel>
        ))}
        <TabPanel className="tab-panel" id="pick">
          <PickSlips />
        </TabPanel>
      </Tabs>
    </div>
  );
}

function Listed({ view }: { view: View }) {
  const words = useWords();
  const [get] = useAddress();
  const page = usePage();
  const here = useServicePoint()?.id ?? "";
  const text = get("query");
  const { filter, by } = VIEWS[view];
  const query = sorted(text ? all(filter(here), matching(text)) : filter(here), by);
  const asking = (limit: number, offset: number) => list("/circulation/requests", { query, limit, offset });
  const requests = useQuery({
    queryKey: ["requests", query, page.offset],
    placeholderData: keepPreviousData,
    queryFn: () => asking(page.limit, page.offset),
  });
  if (requests.error) return <Trouble error={requests.error} retry={() => void requests.refetch()} />;
  return (
    <>
      <SearchLine label={words.requests.search} isMain={false} />
      {requests.isPending ? (
        <Loading />
      ) : (
        <>
          <Pager total={requests.data.totalRecords} />
          {requests.data.totalRecords === 0 && <Empty>{words.requests.none[view]}</Empty>}
          <ul className="rows">
            {requests.data.requests.map((request) => (
              <RequestRow key={request.id} request={request} forWhom />
            ))}
          </ul>
          {requests.data.totalRecords > 0 && (
            <div className="session-end">
              <Button
                onPress={async () =>
                  exportCsv(`${words.requests.views[view]}.csv`, (await asking(10_000, 0)).requests, words)
                }
              >
                {words.requests.export}
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
}

function matching(text: string): string {
  const fields = ["item.barcode", "requester.barcode", "requester.lastName", "requester.firstName", "instance.title"];
  return any(...fields.map((field) => begins(field, text)));
}
