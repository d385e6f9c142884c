/** The editor of a MARC record: each field is a row; everything can be done by keyboard. */

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Refused } from "../api/http.ts";
import { Button } from "../parts/button.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { UnsavedChangesPrompt } from "../parts/unsaved.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { suggestLinks, useLinkingRules, useSpecification } from "./calls.ts";
import { initialItems, partsOfField, withLeader } from "./fixed.ts";
import { EditorFooter, EditorHeader } from "./head-and-end.tsx";
import { KeyHelp } from "./keys.tsx";
import { LeaderForm } from "./leader-form.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { applySuggestions, rulesForTag, unlinkRow } from "./linking.ts";
import * as moves from "./moves.ts";
import { NEEDS } from "./needs.ts";
import { findProblems, type Problem, refusalsAtRows, refusalsOf } from "./problems.ts";
import { type Draft, isSame, lockOf, type QuickMarc, type Row } from "./record.ts";
import { FieldRow } from "./row.tsx";
import { useMarcWords } from "./words/index.tsx";

interface Props {
  /** The record as it is stored, or the blank record. */
  initial: Draft;
  /** An unsaved draft to go on with. */
  written?: Draft;
  /** The stored record; undefined if the record is new. */
  stored?: QuickMarc;
  /** Saves the draft. False if the user cancelled or there is a conflict; throws what the server refuses. */
  save: (draft: Draft) => Promise<boolean>;
  /** Name of the title to which holdings belong. */
  titleName?: string | undefined;
  banner?: ReactNode;
  renderHelpers?: (draft: Draft, change: (draft: Draft) => void) => ReactNode;
}

interface Focus {
  row: number;
  member: string;
}

export function MarcEditor({ initial, written = initial, stored, save, titleName, banner, renderHelpers }: Props) {
  const own = useMarcWords();
  const may = useMay();
  const { format } = initial;
  const isNew = stored === undefined;
  const specification = useSpecification(format).data ?? undefined;
  const mayLink = format === "BIBLIOGRAPHIC" && may("search.authorities.collection.get");
  const rules = useLinkingRules(mayLink).data ?? [];
  const [draft, setDraft] = useState(written);
  const [unlocked, setUnlocked] = useState<ReadonlySet<number>>(new Set());
  const [active, setActive] = useState<number>();
  const [showsKeys, setShowsKeys] = useState(false);
  const [linking, setLinking] = useState<number>();
  const [causes, setCauses] = useState<ReadonlyMap<number, string>>(new Map());
  const [isTried, setTried] = useState(false);
  const focus = useRef<Focus>(undefined);
  const list = useRef<HTMLOListElement>(null);

  const found = useMemo(
    () => findProblems(draft, ({ tag, items = {} }) => partsOfField(tag, items, draft.leader, specification)),
    [draft, specification],
  );
  const saving = useMutation({
    mutationFn: () => save(draft),
    onSuccess: (isSaved) => {
      if (isSaved) announce(own.done[format]);
    },
  });
  const refused = saving.error instanceof Refused ? refusalsAtRows(refusalsOf(saving.error), draft.rows) : [];
  const atRows = refused.filter(({ row }) => row !== undefined);
  const change = (next: Draft) => {
    if (!saving.isPending) saving.reset();
    setDraft(next);
  };
  const isChanged = !isSame(initial, draft);

  const trySave = () => {
    setTried(true);
    if (saving.isPending || (!isNew && !isChanged)) return;
    const first = found.find(({ isWarning }) => !isWarning);
    if (first === undefined) return saving.mutate();
    if (first.row !== undefined) focusOn(first.row, first.member ?? "text");
    else if (first.name === "leaderValue") document.querySelector<HTMLElement>(".marc-leader [aria-invalid]")?.focus();
  };

  const focusOn = (row: number, member: string) => {
    focus.current = { row, member };
    // If the row is active already, nothing is rendered again, so the focus is also moved here.
    setActive(row);
    move();
  };
  const move = () => {
    const { row, member } = focus.current ?? {};
    const at = list.current?.querySelector(`[data-row="${row}"]`);
    const wanted = at?.querySelector<HTMLElement>(`[data-member="${member}"]:not([readonly])`);
    (wanted ?? at?.querySelector<HTMLElement>("input, textarea, select, button"))?.focus();
  };
  useLayoutEffect(() => {
    if (focus.current === undefined) return;
    move();
    focus.current = undefined;
  });

  const did = ({ draft: next, focus: row }: moves.DraftWithFocus, member: string) => {
    change(next);
    if (row !== undefined) focus.current = { row, member };
  };
  const rowOf = (key: number | undefined) => draft.rows.find((row) => row.key === key);
  const lockOfRow = (row: Row) => (unlocked.has(row.key) ? undefined : lockOf(row, format, isNew));
  const canLink = (row: Row | undefined) => mayLink && row !== undefined && rulesForTag(row.tag, rules).length > 0;

  const inRow = (event: React.KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const key = Number(target.closest<HTMLElement>("[data-row]")?.dataset.row ?? Number.NaN);
    const row = rowOf(key);
    if (row === undefined) return;
    const member = target.dataset.member ?? "text";
    if (["ArrowUp", "ArrowDown"].includes(event.key) && !event.altKey && /^(tag|ind[12])$/.test(member)) {
      event.preventDefault();
      const to = draft.rows[draft.rows.indexOf(row) + (event.key === "ArrowUp" ? -1 : 1)];
      if (to) focusOn(to.key, member);
      return;
    }
    const act = moves.actionOfKey(event);
    const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    // On a button, Enter presses it; on a list, Alt and an arrow key open it.
    if (act === undefined || (act === "add" && !isText)) return;
    if (target instanceof HTMLSelectElement && (act === "up" || act === "down")) return;
    if (act === "save" || act === "keys") return;
    event.preventDefault();
    if (act === "add") did(moves.addRow(draft, key), "tag");
    if (act === "remove" && lockOfRow(row) === undefined) did(moves.removeRow(draft, key), member);
    if (act === "back") did(moves.restoreRow(draft), "tag");
    if (act === "up" || act === "down") did(moves.moveRow(draft, key, act === "up" ? -1 : 1), member);
    if (act === "link" && canLink(row) && !row.link) setLinking(key);
  };
  useEditorKeys({ save: trySave, keys: () => setShowsKeys((now) => !now) });

  const automatic = useMutation({
    mutationFn: async () => applySuggestions(draft.rows, (await suggestLinks(draft)).fields),
    onSuccess: ({ rows, failed }) => {
      change({ ...draft, rows });
      setCauses(new Map(failed.map(({ row, cause }) => [row, cause])));
    },
  });
  const autoCount = automatic.data?.linkedCount;

  // An incomplete field is not marked while it is being edited.
  const isUnfinished = ({ name }: Problem) => name === "tag" || name === "noText";
  const isShown = (problem: Problem) => isTried || !isUnfinished(problem) || (!isNew && problem.row !== active);
  const general = found.filter(({ row }) => row === undefined);
  const linkingRow = rowOf(linking);

  return (
    <div className="desk-page marc-page">
      <EditorHeader
        stored={stored}
        format={format}
        titleName={titleName}
        isChanged={isChanged}
        isSaving={saving.isPending}
      >
        {format === "BIBLIOGRAPHIC" && may(NEEDS.suggest) && (
          <Button onPress={() => automatic.mutate()} isDisabled={automatic.isPending}>
            {own.link.auto}
          </Button>
        )}
        <Button aria-expanded={showsKeys} onPress={() => setShowsKeys(!showsKeys)}>
          {own.keysTitle} <kbd>F1</kbd>
        </Button>
      </EditorHeader>
      {banner}
      {showsKeys && <KeyHelp />}
      {automatic.error && <ErrorMessage error={automatic.error} />}
      {autoCount !== undefined && (
        <p className="banner note" role="status">
          {autoCount > 0 ? own.link.autoDone(autoCount) : own.link.autoNone}
        </p>
      )}
      {renderHelpers && <div className="marc-helps">{renderHelpers(draft, change)}</div>}
      <LeaderForm
        format={format}
        leader={draft.leader}
        invalidPositions={general.flatMap(({ name, of = "", isWarning }) =>
          name === "leaderValue" && !isWarning ? of : [],
        )}
        onChange={(leader) => change(withLeader(draft, leader, specification))}
      />
      <ol className="marc-rows" aria-label={own.fields} ref={list} onKeyDown={inRow}>
        {draft.rows.map((row) => (
          <FieldRow
            key={row.key}
            row={row}
            parts={row.items ? partsOfField(row.tag, row.items, draft.leader, specification) : undefined}
            lock={lockOfRow(row)}
            rule={rules.find(({ id }) => id === row.link?.linkingRuleId)}
            canLink={canLink(row)}
            cause={causes.get(row.key)}
            problems={found.filter((problem) => problem.row === row.key && isShown(problem))}
            refused={atRows.filter((one) => one.row === row.key)}
            specification={specification}
            leader={draft.leader}
            onFocus={() => setActive(row.key)}
            onChange={(part) => change(moves.changeRow(draft, row.key, part))}
            onTag={(tag) =>
              change(
                moves.changeTag(draft, row.key, tag, (tag) =>
                  initialItems(tag, draft.leader, specification, new Date()),
                ),
              )
            }
            onRemove={() => did(moves.removeRow(draft, row.key), "tag")}
            onUnlock={() => setUnlocked(new Set([...unlocked, row.key]))}
            onLink={() => setLinking(row.key)}
            onUnlink={() => change({ ...draft, rows: draft.rows.map((one) => (one === row ? unlinkRow(row) : one)) })}
          />
        ))}
      </ol>
      <div className="marc-below">
        <Button onPress={() => did(moves.addRow(draft, draft.rows.at(-1)?.key), "tag")}>{own.addFirst}</Button>
        {draft.removed.length > 0 && (
          <Button onPress={() => did(moves.restoreRow(draft), "tag")}>
            {own.putBack(draft.removed.at(-1)?.row.tag ?? "")}
          </Button>
        )}
        {format !== "AUTHORITY" && (
          <CheckboxField
            value={draft.suppressDiscovery}
            onChange={(suppressDiscovery) => change({ ...draft, suppressDiscovery })}
          >
            {own.suppress}
          </CheckboxField>
        )}
      </div>
      <EditorFooter
        stored={stored}
        format={format}
        isChanged={isChanged}
        problems={found}
        recordProblems={general}
        isSaveTried={isTried}
        isSaving={saving.isPending}
        error={saving.error}
        rowRefusals={atRows}
        refusals={refused}
        onSave={trySave}
      />
      {linkingRow && (
        <LinkDialog
          row={linkingRow}
          rules={rules}
          onLinked={(row) => {
            change({ ...draft, rows: draft.rows.map((one) => (one.key === row.key ? row : one)) });
            setLinking(undefined);
            focus.current = { row: row.key, member: "text" };
          }}
          onClose={() => setLinking(undefined)}
        />
      )}
      <UnsavedChangesPrompt isUnsaved={isChanged} />
    </div>
  );
}

/** Keys that work everywhere on the page, except while a dialog is open. */
function useEditorKeys(does: { save: () => void; keys: () => void }): void {
  const latest = useRef(does);
  latest.current = does;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = moves.actionOfKey(event);
      if (act !== "save" && act !== "keys") return;
      // Keeps the browser from saving the page (Ctrl+S) or opening its help (F1).
      event.preventDefault();
      if (document.querySelector(".veil") === null) latest.current[act]();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}
