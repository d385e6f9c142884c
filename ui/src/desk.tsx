/** The whole application: who is signed in, where they stand, and which page the address names. */

import { lazy, Suspense } from "react";
import { Redirect, Route, Router, Switch } from "wouter";
import { Loading } from "./parts/states.tsx";
import { ChooseServicePoint } from "./shell/choose-service-point.tsx";
import { session, useServicePoint } from "./shell/session.ts";
import { Shell } from "./shell/shell.tsx";
import { SignIn } from "./shell/sign-in.tsx";
import { Speaking, useWords } from "./words/index.tsx";

const CheckIn = lazy(() => import("./check-in/page.tsx"));
const CheckOut = lazy(() => import("./check-out/page.tsx"));
const Patrons = lazy(() => import("./patrons/page.tsx"));
const Patron = lazy(() => import("./patrons/patron.tsx"));

export function Desk() {
  return (
    <Speaking>
      <Router base="/desk">
        <Gate />
      </Router>
    </Speaking>
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
  if (servicePoint === undefined) return <ChooseServicePoint />;
  return (
    <Shell>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/">
            <Redirect to="/check-out" replace />
          </Route>
          <Route path="/check-out" component={CheckOut} />
          <Route path="/check-in" component={CheckIn} />
          <Route path="/patrons" component={Patrons} />
          <Route path="/patrons/:id" component={Patron} />
          <Route component={NoSuchPage} />
        </Switch>
      </Suspense>
    </Shell>
  );
}

function NoSuchPage() {
  return <p className="empty">{useWords().notFound}</p>;
}
