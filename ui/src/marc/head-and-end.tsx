/** What stands above and below the fields of the editor: whether the record is saved, what bars that, and the ways on. */

import type { ReactNode } from "react";
import { Link } from "wouter";
import { Button } from "../parts/button.tsx";
import { Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { NotMadeYet } from "./calls.ts";
import { headingOf } from "./linking.ts";
import { NEEDS } from "./needs.ts";
import { type AtRow, bars, type Problem } from "./problems.ts";
import type { Draft, QuickMarc } from "./record.ts";
import { readable } from "./subfields.ts";
import { plainOf } from "./ways.ts";
import { useMarcWords } from "./words/index.tsx";

interface HeadProps {
  stored: QuickMarc | undefined;
  format: Draft["format"];
  of: string | undefined;
  isChanged: boolean;
  isSaving: boolean;
  children: ReactNode;
}

export function Head({ stored, format, of, isChanged, isSaving, children }: HeadProps) {
  const own = useMarcWords();
  const formats = useFormats();
  const may = useMay();
  const { externalHrid, externalId, updateInfo } = stored ?? {};
  const who = [updateInfo?.updatedBy?.firstName, updateInfo?.updatedBy?.lastName].filter(Boolean).join(" ");
  const when = updateInfo?.updateDate && formats.moment(updateInfo.updateDate);
  const saved = when && (who ? own.state.savedBy(when, who) : own.state.saved(when));
  const state = updateInfo?.recordState;
  return (
    <header className="head">
      <div className="what">
        <h1>
          {stored ? own.titles[format] : own.newTitles[format]} <small>{externalHrid ?? of}</small>
        </h1>
        {stored?.externalId && format !== "HOLDINGS" && (
          <p>
            <Link href={backFrom(format, stored.externalId)}>
              <bdi>{nameOf(stored)}</bdi>
            </Link>
          </p>
        )}
        <p role="status">{isSaving ? own.saving : isChanged || !stored ? own.state.unsaved : saved}</p>
        {(state === "IN_PROGRESS" || state === "ERROR") && (
          <p className={state === "ERROR" ? "banner bad" : "banner note"}>{own.state[state]}</p>
        )}
      </div>
      <div className="buttons">
        {children}
        {externalId && may(NEEDS.plain) && (
          <Link className="button" href={plainOf(format, externalId)}>
            {own.viewMarc}
          </Link>
        )}
      </div>
    </header>
  );
}

interface EndProps {
  stored: QuickMarc | undefined;
  format: Draft["format"];
  isChanged: boolean;
  found: readonly Problem[];
  general: readonly Problem[];
  isTried: boolean;
  isSaving: boolean;
  error: unknown;
  atRows: readonly AtRow[];
  refused: readonly AtRow[];
  onSave: () => void;
}

export function End(props: EndProps) {
  const { stored, format, isChanged, found, general, isTried, isSaving, error, atRows, refused, onSave } = props;
  const words = useWords();
  const own = useMarcWords();
  const errors = found.filter(({ isWarning }) => !isWarning);
  const back = stored?.externalId ? backFrom(format, stored.externalId) : "/";
  const isAllAtRows = refused.length > 0 && atRows.length === refused.length;
  return (
    <div className="session-end marc-end">
      {general.length > 0 && (
        <ul className="reasons marc-general">
          {general.map(({ name, of = "", isWarning }) => (
            <li key={`${name}-${of}`} className={isWarning ? "help" : "error"}>
              {own.problems[name](of)}
            </li>
          ))}
        </ul>
      )}
      {isTried && bars(found) && (
        <p className="error" role="alert">
          {own.cannotSave} {own.problemsTitle(errors.length)}
        </p>
      )}
      {error instanceof NotMadeYet ? (
        <p className="banner warn" role="alert">
          {own.state.notMadeYet}
        </p>
      ) : (
        error !== null && !isAllAtRows && <Trouble error={error} />
      )}
      <Link className="button" href={back}>
        {isChanged || !stored ? words.cancel : own.plain.back}
      </Link>
      <Button kind="primary" onPress={onSave} aria-keyshortcuts="Control+S">
        {isSaving ? own.saving : words.save}
      </Button>
    </div>
  );
}

/** As it is stored: what is written in the editor stands below. */
function nameOf({ fields }: QuickMarc): string {
  const field = fields.find(({ tag }) => tag === "245") ?? headingOf(fields);
  return readable(String(field?.content ?? ""));
}

const backFrom = (format: Draft["format"], id: string) =>
  ({ BIBLIOGRAPHIC: `/inventory/${id}`, HOLDINGS: plainOf(format, id), AUTHORITY: `/authorities/${id}` })[format];
