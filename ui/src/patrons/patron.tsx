/** One patron: what they have, wait for, owe, and what stands against them. */

import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import { useLocation, useParams } from "wouter";
import { openAccounts, openLoans, openRequests, patron } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { begin } from "../check-out/session.ts";
import { Button } from "../parts/button.tsx";
import { PatronFacts, Who } from "../parts/patron-facts.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Loading, Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import type { Words } from "../words/en.ts";
import { useWords } from "../words/index.tsx";
import { Blocks } from "./blocks.tsx";
import { EditPatron } from "./edit.tsx";
import { Fees } from "./fees.tsx";
import { Loans } from "./loans.tsx";
import { Requests } from "./requests.tsx";

export default function Patron() {
  const { id = "" } = useParams();
  const asked = useQuery(patron(id));
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  return <Known user={asked.data} key={id} />;
}

function Known({ user }: { user: User }) {
  const words = useWords();
  const may = useMay();
  const [, navigate] = useLocation();
  return (
    <div className="desk-page">
      <header className="head">
        <Who user={user} level="h1" />
        <div className="buttons">
          {user.barcode && may("circulation.check-out-by-barcode.post") && (
            <Button
              kind="primary"
              onPress={() => {
                begin(user);
                navigate("/check-out");
              }}
            >
              {words.patrons.lend}
            </Button>
          )}
          {may("users.item.put") && <EditPatron user={user} />}
        </div>
        <PatronFacts user={user} />
      </header>
      <Sections user={user} />
    </div>
  );
}

function Sections({ user }: { user: User }) {
  const words = useWords();
  const [get, set] = useAddress();
  const counts = {
    loans: useQuery(openLoans(user.id)).data?.totalRecords,
    requests: useQuery(openRequests(user.id)).data?.length,
    fees: useQuery(openAccounts(user.id)).data?.length,
  };
  const may = useMay();
  const sections: [string, string, number | undefined, ReactNode][] = [
    ["loans", words.patrons.loans, counts.loans, <Loans key="loans" user={user} />],
    ["requests", words.patrons.requests, counts.requests, <Requests key="requests" user={user} />],
    ["fees", words.patrons.fees, counts.fees, <Fees key="fees" user={user} />],
    ["blocks", words.patrons.blocks, undefined, <Blocks key="blocks" user={user} />],
    ...(may("perms.users.get", "perms.permissions.get") ? [permissions(user, words)] : []),
  ];
  return (
    <Tabs
      className="tabs"
      selectedKey={get("show") || "loans"}
      onSelectionChange={(show) => set({ show: show === "loans" ? undefined : String(show) })}
    >
      <TabList className="tab-list" aria-label={words.patron.details}>
        {sections.map(([id, name, count]) => (
          <Tab className="tab" id={id} key={id}>
            {name}
            {count ? <span className="count">{count}</span> : null}
          </Tab>
        ))}
      </TabList>
      {sections.map(([id, , , content]) => (
        <TabPanel className="tab-panel" id={id} key={id}>
          {content}
        </TabPanel>
      ))}
    </Tabs>
  );
}

/** Looked at rarely, so fetched only then. */
const Permissions = lazy(() => import("../staff/permissions.tsx"));

const permissions = (user: User, words: Words): [string, string, undefined, ReactNode] => [
  "permissions",
  words.patrons.permissions,
  undefined,
  <Suspense key="permissions" fallback={<Loading />}>
    <Permissions user={user} />
  </Suspense>,
];
