/** Authorities: the headings by which titles are found, each kept once. */

import { Route, Switch } from "wouter";
import { ChangesPage } from "./changes.tsx";
import { HomePage } from "./home.tsx";
import { AuthorityPage } from "./record.tsx";
import "../lists/lists.css";
import "./authorities.css";

export default function Authorities() {
  return (
    <Switch>
      <Route path="/authorities" component={HomePage} />
      <Route path="/authorities/changes" component={ChangesPage} />
      <Route path="/authorities/:id" component={AuthorityPage} />
    </Switch>
  );
}
