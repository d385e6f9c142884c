/** The header and footer of the MARC editor: whether the record is saved, problems, and buttons. */

import type { ReactNode } from "react";
import { Link } from "wouter";
import { Button } from "../parts/button.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { NotCreatedYet } from "./calls.ts";
import { findHeading } from "./linking.ts";
import { NEEDS } from "./needs.ts";
import { hasErrors, type Problem, type RowRefusal } from "./problems.ts";
import type { Draft, QuickMarc } from "./record.ts";
import { readableText } from "./subfields.ts";
import { marcViewPath } from "./ways.ts";
import { useMarcWords } from "./words/index.tsx";

interface EditorHeaderProps {
  stored: QuickMarc | undefined;
  format: Draft["format"];
  titleName: string | undefined;
  isChanged: boolean;
  isSaving: boolean;
  children: ReactNode;
}

export function EditorHeader({ stored, format, titleName, isChanged, isSaving, children }: EditorHeaderProps) {
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
          {stored ? own.titles[format] : own.newTitles[format]} <small>{externalHrid ?? titleName}</small>
        </h1>
        {stored?.externalId && format !== "HOLDINGS" && (
          <p>
            <Link href={returnPath(format, stored.externalId)}>
              <bdi>{recordName(stored)}</bdi>
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
          <Link className="button" href={marcViewPath(format, externalId)}>
            {own.viewMarc}
          </Link>
        )}
      </div>
    </header>
  );
}

interface EditorFooterProps {
  stored: QuickMarc | undefined;
  format: Draft["format"];
  isChanged: boolean;
  problems: readonly Problem[];
  recordProblems: readonly Problem[];
  isSaveTried: boolean;
  isSaving: boolean;
  error: unknown;
  rowRefusals: readonly RowRefusal[];
  refusals: readonly RowRefusal[];
  onSave: () => void;
}

export function EditorFooter(props: EditorFooterProps) {
  const {
    stored,
    format,
    isChanged,
    problems,
    recordProblems,
    isSaveTried,
    isSaving,
    error,
    rowRefusals,
    refusals,
    onSave,
  } = props;
  const words = useWords();
  const own = useMarcWords();
  const errors = problems.filter(({ isWarning }) => !isWarning);
  const back = stored?.externalId ? returnPath(format, stored.externalId) : "/";
  const isAllAtRows = refusals.length > 0 && rowRefusals.length === refusals.length;
  return (
    <div className="session-end marc-end">
      {recordProblems.length > 0 && (
        <ul className="reasons marc-general">
          {recordProblems.map(({ name, of = "", isWarning }) => (
            <li key={`${name}-${of}`} className={isWarning ? "help" : "error"}>
              {own.problems[name](of)}
            </li>
          ))}
        </ul>
      )}
      {isSaveTried && hasErrors(problems) && (
        <p className="error" role="alert">
          {own.cannotSave} {own.problemsTitle(errors.length)}
        </p>
      )}
      {error instanceof NotCreatedYet ? (
        <p className="banner warn" role="alert">
          {own.state.notMadeYet}
        </p>
      ) : (
        error !== null && !isAllAtRows && <ErrorMessage error={error} />
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

/** The title or heading of the stored record; changes in the editor are not included. */
function recordName({ fields }: QuickMarc): string {
  const field = fields.find(({ tag }) => tag === "245") ?? findHeading(fields);
  return readableText(String(field?.content ?? ""));
}

const returnPath = (format: Draft["format"], id: string) =>
  ({ BIBLIOGRAPHIC: `/inventory/${id}`, HOLDINGS: marcViewPath(format, id), AUTHORITY: `/authorities/${id}` })[format];
