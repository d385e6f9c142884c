/** One patron: what they have, wait for, owe, and what stands against them. */

import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import { Link, useLocation, useParams } from "wouter";
import { notes } from "../api/notes.ts";
import { openAccounts, openLoans, openRequests, patron } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { begin } from "../check-out/session.ts";
import { Button } from "../parts/button.tsx";
import { PatronFacts, Who } from "../parts/patron-facts.tsx";
import { PopUpNotes } from "../parts/pop-up-notes.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Loading, Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import type { Words } from "../words/en.ts";
import { useWords } from "../words/index.tsx";
import { Blocks } from "./blocks.tsx";
import { CustomFacts } from "./custom/facts.tsx";
import { Fees } from "./fees.tsx";
import { Loans } from "./loans.tsx";
import { Notes } from "./notes.tsx";
import { Proxies } from "./proxies.tsx";
import { Renew } from "./renew.tsx";
import { Requests } from "./requests.tsx";
import { usePatronWords } from "./words/index.tsx";

export default function Patron() {
  const { id = "" } = useParams();
  const asked = useQuery(patron(id));
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  return <Known user={asked.data} key={id} />;
}

function Known({ user }: { user: User }) {
  const words = useWords();
  const own = usePatronWords();
  const may = useMay();
  const [, navigate] = useLocation();
  return (
    <div className="desk-page">
      <PopUpNotes user={user} on="popUpOnUser" />
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
          {may("users.item.get", "users.item.put") && <Renew user={user} />}
          {may("users.item.put") && (
            <Link className="button" href={`/patrons/${user.id}/edit`}>
              {words.patrons.edit}
            </Link>
          )}
          {may("users.item.post") && (
            <Link className="button" href={`/patrons/new?like=${user.id}`}>
              {own.household.another}
            </Link>
          )}
          {may("octavo.patrons.data.get") && (
            <a className="button" href={`/octavo/patrons/${user.id}/data?format=html`} target="_blank" rel="noreferrer">
              {own.keptData}
            </a>
          )}
        </div>
        <PatronFacts user={user} />
      </header>
      <CustomFacts user={user} />
      <Sections user={user} />
    </div>
  );
}

type Section = [id: string, name: string, count: number | undefined, content: ReactNode];

function Sections({ user }: { user: User }) {
  const words = useWords();
  const [get, set] = useAddress();
  const may = useMay();
  const counts = {
    notes: useQuery({ ...notes(user.id), enabled: may("notes.collection.get.by.status") }).data?.length,
    loans: useQuery(openLoans(user.id)).data?.totalRecords,
    requests: useQuery(openRequests(user.id)).data?.length,
    fees: useQuery(openAccounts(user.id)).data?.length,
  };
  const own = usePatronWords().tabs;
  const sections: Section[] = [
    ["loans", words.patrons.loans, counts.loans, <Loans key="loans" user={user} />],
    ["requests", words.patrons.requests, counts.requests, <Requests key="requests" user={user} />],
    ["fees", words.patrons.fees, counts.fees, <Fees key="fees" user={user} />],
    ["blocks", words.patrons.blocks, undefined, <Blocks key="blocks" user={user} />],
    ...(may("notes.collection.get.by.status")
      ? [["notes", own.notes, counts.notes, <Notes key="notes" user={user} />] satisfies Section]
      : []),
    ...(may("proxiesfor.collection.get")
      ? [["proxies", own.proxies, undefined, <Proxies key="proxies" user={user} />] satisfies Section]
      : []),
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

const permissions = (user: User, words: Words): Section => [
  "permissions",
  words.patrons.permissions,
  undefined,
  <Suspense key="permissions" fallback={<Loading />}>
    <Permissions user={user} />
  </Suspense>,
];
