/** Routes of MARC records: view, edit, create. */

import { Redirect, Route, Switch, useParams } from "wouter";
import { EditMarc } from "./edit.tsx";
import { NewMarc } from "./new.tsx";
import { MarcView } from "./plain.tsx";
import type { Format } from "./record.ts";
import "./marc.css";

export default function MarcPages() {
  return (
    <Switch>
      <Route path="/marc/:kind/new" component={NewPage} />
      <Route path="/marc/:kind/:id/view" component={ViewPage} />
      <Route path="/marc/:kind/:id" component={EditPage} />
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

function NewPage() {
  const format = useFormat();
  return format ? <NewMarc key={location.search} format={format} /> : <Redirect to="/" replace />;
}

function EditPage() {
  const format = useFormat();
  const { id = "" } = useParams();
  return format ? <EditMarc key={id} format={format} id={id} /> : <Redirect to="/" replace />;
}

function ViewPage() {
  const format = useFormat();
  const { id = "" } = useParams();
  return format ? <MarcView key={id} format={format} id={id} /> : <Redirect to="/" replace />;
}
