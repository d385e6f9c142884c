/** The pages of MARC records: seen as they are stored, changed, made, and derived from others. */

import { Redirect, Route, Switch, useParams } from "wouter";
import { EditMarc } from "./edit.tsx";
import { NewMarc } from "./new.tsx";
import { PlainMarc } from "./plain.tsx";
import type { Format } from "./record.ts";
import "./marc.css";

export default function MarcPages() {
  return (
    <Switch>
      <Route path="/marc/:kind/new" component={New} />
      <Route path="/marc/:kind/:id/view" component={View} />
      <Route path="/marc/:kind/:id" component={Edit} />
    </Switch>
  );
}

const FORMATS: Readonly<Record<string, Format>> = {
  bib: "BIBLIOGRAPHIC",
  holdings: "HOLDINGS",
  authority: "AUTHORITY",
};

function useFormat(): Format | undefined {
  return FORMATS[useParams().kind ?? ""];
}

function New() {
  const format = useFormat();
  return format ? <NewMarc key={location.search} format={format} /> : <Redirect to="/" replace />;
}

function Edit() {
  const format = useFormat();
  const { id = "" } = useParams();
  return format ? <EditMarc key={id} format={format} id={id} /> : <Redirect to="/" replace />;
}

function View() {
  const format = useFormat();
  const { id = "" } = useParams();
  return format ? <PlainMarc key={id} format={format} id={id} /> : <Redirect to="/" replace />;
}
