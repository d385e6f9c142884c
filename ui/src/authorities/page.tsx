/** Authorities: the headings by which titles are found, each kept once. */

import { Route, Switch } from "wouter";
import { ChangesPage } from "./changes.tsx";
import { AuthorityPage } from "./record.tsx";
import { SearchPage } from "./search.tsx";
import "../lists/lists.css";
import "./authorities.css";

export default function Authorities() {
  return (
    <Switch>
      <Route path="/authorities" component={SearchPage} />
      <Route path="/authorities/changes" component={ChangesPage} />
      <Route path="/authorities/:id" component={AuthorityPage} />
    </Switch>
  );
}
