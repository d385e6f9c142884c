/** The whole application: shows the sign-in form, the choice of a service point, or the page that the address names. */

import { Suspense, useEffect } from "react";
import { Redirect, Route, Router, Switch, useLocation, useSearchParams } from "wouter";
import { keepOfflineDataFresh } from "./offline/luggage.ts";
import { Boundary } from "./parts/boundary.tsx";
import { useGuardedLocation } from "./parts/guarded-location.ts";
import { later } from "./parts/later.ts";
import { Loading } from "./parts/states.tsx";
import { machine } from "./self/machine.ts";
import { ChooseServicePoint } from "./shell/choose-service-point.tsx";
import { isPageAllowed, PAGES } from "./shell/pages.ts";
import { session, useMay, useServicePoint } from "./shell/session.ts";
import { Shell, useCurrentPage } from "./shell/shell.tsx";
import { SignIn } from "./shell/sign-in.tsx";
import { LanguageProvider, useWords } from "./words/index.tsx";

const loadPage = {
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
};

/**
 * Pages that are loaded only when somebody opens them; the pages above are also loaded in advance, when the browser is
 * idle.
 */
const Settings = later(() => import("./settings/page.tsx"));
const Lists = later(() => import("./lists/page.tsx"));
const Authorities = later(() => import("./authorities/page.tsx"));
const MarcPages = later(() => import("./marc/page.tsx"));
const Imports = later(() => import("./imports/page.tsx"));
const Lab = later(() => import("./lab/page.tsx"));
const CirculationLog = later(() => import("./log/page.tsx"));
const SecurityLog = later(() => import("./security/page.tsx"));
const Partners = later(() => import("./partners/page.tsx"));

const Cataloguing = later(loadPage.cataloguing);
/** The page that the link of a password e-mail opens, whether or not somebody is signed in. */
const NewPassword = later(() => import("./staff/new-password.tsx"));
/** The page of the self-check machine, which patrons use on a computer of their own. */
const SelfCheck = later(() => import("./self/page.tsx"));

const CheckIn = later(loadPage.checkIn);
const CheckOut = later(loadPage.checkOut);
const Drawer = later(loadPage.drawer);
const EditPatron = later(loadPage.editPatron);
const Inventory = later(loadPage.inventory);
const Patron = later(loadPage.patron);
const Patrons = later(loadPage.patrons);
const Requests = later(loadPage.requests);
const Rules = later(loadPage.rules);
const TitlePage = later(loadPage.title);
const Today = later(loadPage.today);

export function Desk() {
  return (
    <LanguageProvider>
      <Boundary>
        <Router base="/desk" hook={useGuardedLocation}>
          <Switch>
            <Route path="/new-password/:token">{({ token }) => <NewPasswordPage token={token} />}</Route>
            <Route>
              <SignInGate />
            </Route>
          </Switch>
        </Router>
      </Boundary>
    </LanguageProvider>
  );
}

function NewPasswordPage({ token }: { token: string }) {
  const [search] = useSearchParams();
  return (
    <Suspense fallback={<Loading />}>
      <NewPassword tenant={search.get("tenant") ?? ""} token={token} />
    </Suspense>
  );
}

function SignInGate() {
  const now = session.use();
  if (now.is === "asking") return <Loading />;
  if (now.is === "out") return <SignIn />;
  return <SignedInDesk />;
}

function SignedInDesk() {
  const servicePoint = useServicePoint();
  useOfflineData(servicePoint?.id);
  useEffect(() => {
    // Once somebody is signed in and the browser is idle, the code of these pages is loaded in advance, so that none
    // has to be waited for.
    const idle = requestIdleCallback(() => Object.values(loadPage).forEach((page) => void page().catch(() => {})));
    return () => cancelIdleCallback(idle);
  }, []);
  const [path] = useLocation();
  const { on } = machine.use();
  if (servicePoint === undefined) return <ChooseServicePoint />;
  // While this browser runs as a self-check machine, every address shows the self-check page, so that patrons cannot
  // reach the desk.
  if (on || path === "/self") {
    return (
      <Suspense fallback={<Loading />}>
        <SelfCheck />
      </Suspense>
    );
  }
  return (
    <Shell>
      <Boundary path={path}>
        <Suspense fallback={<Loading />}>
          <Pages />
        </Suspense>
      </Boundary>
    </Shell>
  );
}

function Pages() {
  const words = useWords();
  const may = useMay();
  const here = useCurrentPage();
  const first = PAGES.find((page) => isPageAllowed(page, may));
  // The settings page has no permissions of its own here: each of its parts checks them by itself.
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

/** Loads the data for check-out without a connection (due dates, item barcodes) while there is a connection. */
function useOfflineData(servicePointId: string | undefined): void {
  const permitted = useMay()("octavo.circulation.offline.get");
  useEffect(() => {
    if (servicePointId === undefined || !permitted || !("caches" in window)) return;
    let stop = () => {};
    const idle = requestIdleCallback(() => {
      stop = keepOfflineDataFresh(servicePointId);
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
