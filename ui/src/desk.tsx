/** The whole application: who is signed in, where they stand, and which page the address names. */

import { lazy, Suspense, useEffect } from "react";
import { Redirect, Route, Router, Switch, useLocation, useSearchParams } from "wouter";
import { keepPacked } from "./offline/luggage.ts";
import { useGuardedLocation } from "./parts/guarded-location.ts";
import { Loading } from "./parts/states.tsx";
import { machine } from "./self/machine.ts";
import { ChooseServicePoint } from "./shell/choose-service-point.tsx";
import { isOpen, PAGES } from "./shell/pages.ts";
import { session, useMay, useServicePoint } from "./shell/session.ts";
import { Shell, useHere } from "./shell/shell.tsx";
import { SignIn } from "./shell/sign-in.tsx";
import { Speaking, useWords } from "./words/index.tsx";

const load = {
  checkOut: () => import("./check-out/page.tsx"),
  checkIn: () => import("./check-in/page.tsx"),
  patrons: () => import("./patrons/page.tsx"),
  patron: () => import("./patrons/patron.tsx"),
  editPatron: () => import("./patrons/editing/page.tsx"),
  inventory: () => import("./inventory/page.tsx"),
  title: () => import("./inventory/title.tsx"),
  cataloguing: () => import("./inventory/cataloguing.tsx"),
  requests: () => import("./requests/page.tsx"),
  rules: () => import("./rules/page.tsx"),
  drawer: () => import("./drawer/page.tsx"),
  today: () => import("./today/page.tsx"),
  lab: () => import("./lab/page.tsx"),
};

/** Nobody waits for them at the desk: they are fetched when somebody goes there. */
const Settings = lazy(() => import("./settings/page.tsx"));
const Lists = lazy(() => import("./lists/page.tsx"));
const Authorities = lazy(() => import("./authorities/page.tsx"));
const MarcPages = lazy(() => import("./marc/page.tsx"));
const Imports = lazy(() => import("./imports/page.tsx"));
const CirculationLog = lazy(() => import("./log/page.tsx"));
const SecurityLog = lazy(() => import("./security/page.tsx"));
const Partners = lazy(() => import("./partners/page.tsx"));

const Cataloguing = lazy(load.cataloguing);
/** For whoever follows the link of an e-mail, signed in or not. */
const NewPassword = lazy(() => import("./staff/new-password.tsx"));
/** On machines of their own, where patrons stand. */
const SelfCheck = lazy(() => import("./self/page.tsx"));

const CheckIn = lazy(load.checkIn);
const CheckOut = lazy(load.checkOut);
const Drawer = lazy(load.drawer);
const EditPatron = lazy(load.editPatron);
const Inventory = lazy(load.inventory);
const Lab = lazy(load.lab);
const Patron = lazy(load.patron);
const Patrons = lazy(load.patrons);
const Requests = lazy(load.requests);
const Rules = lazy(load.rules);
const TitlePage = lazy(load.title);
const Today = lazy(load.today);

export function Desk() {
  return (
    <Speaking>
      <Router base="/desk" hook={useGuardedLocation}>
        <Switch>
          <Route path="/new-password/:token">{({ token }) => <ByLink token={token} />}</Route>
          <Route>
            <Gate />
          </Route>
        </Switch>
      </Router>
    </Speaking>
  );
}

function ByLink({ token }: { token: string }) {
  const [search] = useSearchParams();
  return (
    <Suspense fallback={<Loading />}>
      <NewPassword tenant={search.get("tenant") ?? ""} token={token} />
    </Suspense>
  );
}

function Gate() {
  const now = session.use();
  if (now.is === "asking") return <Loading />;
  if (now.is === "out") return <SignIn />;
  return <Inside />;
}

function Inside() {
  const servicePoint = useServicePoint();
  useLuggage(servicePoint?.id);
  useEffect(() => {
    // Once somebody is in, every page is fetched while nothing else happens: none is waited for later.
    const idle = requestIdleCallback(() => Object.values(load).forEach((page) => void page().catch(() => {})));
    return () => cancelIdleCallback(idle);
  }, []);
  const [path] = useLocation();
  const { on } = machine.use();
  if (servicePoint === undefined) return <ChooseServicePoint />;
  // Whatever the address says: patrons who type another one come back to the machine.
  if (on || path === "/self") {
    return (
      <Suspense fallback={<Loading />}>
        <SelfCheck />
      </Suspense>
    );
  }
  return (
    <Shell>
      <Suspense fallback={<Loading />}>
        <Pages />
      </Suspense>
    </Shell>
  );
}

function Pages() {
  const words = useWords();
  const may = useMay();
  const here = useHere();
  const first = PAGES.find((page) => isOpen(page, may));
  // What one may see of the settings, they tell for each part.
  if (here && !may(...here.needs)) return <NoAccess to={words.pages[here.name]} />;
  return (
    <Switch>
      <Route path="/">{first ? <Redirect to={first.path} replace /> : <NoAccess to={words.desk} />}</Route>
      <Route path="/check-out" component={CheckOut} />
      <Route path="/check-in" component={CheckIn} />
      <Route path="/inventory" component={Inventory} />
      <Route path="/inventory/new" component={Cataloguing} />
      <Route path="/inventory/:id" component={TitlePage} />
      <Route path="/inventory/:id/*" component={Cataloguing} />
      <Route path="/marc/*" component={MarcPages} />
      <Route path="/authorities/*?" component={Authorities} />
      <Route path="/requests" component={Requests} />
      <Route path="/lists/*?" component={Lists} />
      <Route path="/rules" component={Rules} />
      <Route path="/settings/*?" component={Settings} />
      <Route path="/import/*?" component={Imports} />
      <Route path="/drawer" component={Drawer} />
      <Route path="/log" component={CirculationLog} />
      <Route path="/security-log" component={SecurityLog} />
      <Route path="/partner-libraries" component={Partners} />
      <Route path="/today" component={Today} />
      <Route path="/lab" component={Lab} />
      <Route path="/patrons" component={Patrons} />
      <Route path="/patrons/new" component={EditPatron} />
      <Route path="/patrons/:id/edit" component={EditPatron} />
      <Route path="/patrons/:id" component={Patron} />
      <Route component={NoSuchPage} />
    </Switch>
  );
}

/** What a desk without a connection needs is fetched while there is one. */
function useLuggage(servicePointId: string | undefined): void {
  const permitted = useMay()("octavo.circulation.offline.get");
  useEffect(() => {
    if (servicePointId === undefined || !permitted || !("caches" in window)) return;
    let stop = () => {};
    const idle = requestIdleCallback(() => {
      stop = keepPacked(servicePointId);
    });
    return () => {
      cancelIdleCallback(idle);
      stop();
    };
  }, [servicePointId, permitted]);
}

function NoAccess({ to }: { to: string }) {
  const words = useWords();
  return (
    <div className="desk-page">
      <h1>{to}</h1>
      <p className="banner warn">{words.noAccess(to)}</p>
    </div>
  );
}

function NoSuchPage() {
  return <h1>{useWords().notFound}</h1>;
}
