/** The cash drawer of a service point, and the report of its payments by days. */

import { EmptyMessage } from "../parts/states.tsx";
import { useMay, useServicePoint } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { DayReport } from "./days.tsx";
import { Drawer } from "./drawer.tsx";
import { useDrawerWords } from "./words/index.tsx";
import "../settings/settings.css";
import "./drawer.css";

export default function DrawerPage() {
  const words = useDrawerWords();
  const common = useWords();
  const may = useMay();
  const here = useServicePoint();
  if (here === undefined) return <EmptyMessage>{common.servicePoint.none}</EmptyMessage>;
  return (
    <div className="desk-page drawer">
      <h1>{words.here(here.name)}</h1>
      {may("feefineactions.collection.get") && <Drawer servicePoint={here.id} key={here.id} />}
      <DayReport servicePoint={here.id} />
    </div>
  );
}
