/** The page of a patron: loans, requests, fees/fines, blocks, notes and proxies. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import { Link, useLocation, useParams } from "wouter";
import { notes } from "../api/notes.ts";
import { openAccounts, openLoans, openRequests, patron } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { continueWithPatron } from "../check-out/session.ts";
import { Button } from "../parts/button.tsx";
import { later } from "../parts/later.ts";
import { PatronFacts, PatronHeading } from "../parts/patron-facts.tsx";
import { PopUpNotes } from "../parts/pop-up-notes.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { ErrorMessage, Loading, ReloadError } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import type { Words } from "../words/en.ts";
import { useWords } from "../words/index.tsx";
import { PatronBlocks } from "./blocks.tsx";
import { CustomFacts } from "./custom/facts.tsx";
import { PatronFees } from "./fees.tsx";
import { PatronLoans } from "./loans.tsx";
import { PatronNotes } from "./notes.tsx";
import { PatronProxies } from "./proxies.tsx";
import { RenewRegistrationButton } from "./renew.tsx";
import { PatronRequests } from "./requests.tsx";
import { usePatronWords } from "./words/index.tsx";

export default function PatronPage() {
  const { id = "" } = useParams();
  const asked = useQuery(patron(id));
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return (
    <>
      <ReloadError asked={asked} />
      <PatronDetails user={asked.data} key={id} />
    </>
  );
}

function PatronDetails({ user }: { user: User }) {
  const words = useWords();
  const own = usePatronWords();
  const may = useMay();
  const [, navigate] = useLocation();
  return (
    <div className="desk-page">
      <PopUpNotes user={user} on="popUpOnUser" />
      <header className="head">
        <PatronHeading user={user} level="h1" />
        <div className="buttons">
          {user.barcode && may("circulation.check-out-by-barcode.post") && (
            <Button
              kind="primary"
              onPress={() => {
                continueWithPatron(user);
                navigate("/check-out");
              }}
            >
              {words.patrons.lend}
            </Button>
          )}
          {may("users.item.get", "users.item.put") && <RenewRegistrationButton user={user} />}
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
      <PatronTabs user={user} />
    </div>
  );
}

type PatronTab = [id: string, name: string, count: number | undefined, content: ReactNode];

function PatronTabs({ user }: { user: User }) {
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
  const sections: PatronTab[] = [
    ["loans", words.patrons.loans, counts.loans, <PatronLoans key="loans" user={user} />],
    ["requests", words.patrons.requests, counts.requests, <PatronRequests key="requests" user={user} />],
    ["fees", words.patrons.fees, counts.fees, <PatronFees key="fees" user={user} />],
    ["blocks", words.patrons.blocks, undefined, <PatronBlocks key="blocks" user={user} />],
    ...(may("notes.collection.get.by.status")
      ? [["notes", own.notes, counts.notes, <PatronNotes key="notes" user={user} />] satisfies PatronTab]
      : []),
    ...(may("proxiesfor.collection.get")
      ? [["proxies", own.proxies, undefined, <PatronProxies key="proxies" user={user} />] satisfies PatronTab]
      : []),
    ...(may("perms.users.get", "perms.permissions.get") ? [permissionsTab(user, words)] : []),
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

/** Rarely opened, so it is loaded only then. */
const Permissions = later(() => import("../staff/permissions.tsx"));

const permissionsTab = (user: User, words: Words): PatronTab => [
  "permissions",
  words.patrons.permissions,
  undefined,
  <Suspense key="permissions" fallback={<Loading />}>
    <Permissions user={user} />
  </Suspense>,
];
