/** The pages of imports: a new one, those that run, those that have ended, and the log of each. */

import { Link, Route, Switch } from "wouter";
import { useMay } from "../shell/session.ts";
import { FinishedJobs } from "./finished.tsx";
import { JobPage } from "./job.tsx";
import { mayReadProfiles } from "./profiles/kinds.ts";
import { ProfilePages } from "./profiles/page.tsx";
import { MAY_SEE, MAY_START } from "./rights.ts";
import { RunningJobs } from "./running.tsx";
import { NewImport } from "./start.tsx";
import { useImportWords } from "./words/index.tsx";
import "../lists/lists.css";
import "../settings/settings.css";
import "./imports.css";

export default function Imports() {
  return (
    <div className="desk-page imports">
      <Switch>
        <Route path="/import" component={ImportPage} />
        <Route path="/import/jobs/:id" component={JobPage} />
        <Route path="/import/profiles/*?" component={ProfilePages} />
      </Switch>
    </div>
  );
}

function ImportPage() {
  const words = useImportWords();
  const may = useMay();
  return (
    <>
      <header className="settings-head">
        <h1>{words.title}</h1>
        {mayReadProfiles(may) && (
          <Link className="button" href="/import/profiles">
            {words.profiles}
          </Link>
        )}
      </header>
      {may(...MAY_START) && <NewImport />}
      {may(...MAY_SEE) && (
        <>
          <RunningJobs />
          <FinishedJobs />
        </>
      )}
    </>
  );
}
