/** The editor of a MARC record: its fields as rows, written by keyboard. */

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Refused } from "../api/http.ts";
import { Button } from "../parts/button.tsx";
import { Trouble } from "../parts/states.tsx";
import { Tick } from "../parts/tick.tsx";
import { AsksBeforeLeaving } from "../parts/unsaved.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { suggestLinks, useLinkingRules, useSpecification } from "./calls.ts";
import { fresh, partsOfField, withLeader } from "./fixed.ts";
import { End, Head } from "./head-and-end.tsx";
import { Keys } from "./keys.tsx";
import { LeaderForm } from "./leader-form.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { rulesOf, suggested, unlinked } from "./linking.ts";
import * as moves from "./moves.ts";
import { NEEDS } from "./needs.ts";
import { type Problem, placed, problems, refusalsOf } from "./problems.ts";
import { type Draft, isSame, lockOf, type QuickMarc, type Row } from "./record.ts";
import { FieldRow } from "./row.tsx";
import { useMarcWords } from "./words/index.tsx";

interface Props {
  /** As it is stored, or begins. */
  start: Draft;
  /** What was written already. */
  written?: Draft;
  /** None: the record is new. */
  stored?: QuickMarc;
  /** Whether it is saved; what is refused is thrown. */
  save: (draft: Draft) => Promise<boolean>;
  /** The title to which it belongs. */
  of?: string | undefined;
  above?: ReactNode;
  helps?: (draft: Draft, change: (draft: Draft) => void) => ReactNode;
}

interface Focus {
  row: number;
  member: string;
}

export function Editor({ start, written = start, stored, save, of, above, helps }: Props) {
  const own = useMarcWords();
  const may = useMay();
  const { format } = start;
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
    () => problems(draft, ({ tag, items = {} }) => partsOfField(tag, items, draft.leader, specification)),
    [draft, specification],
  );
  const saving = useMutation({
    mutationFn: () => save(draft),
    onSuccess: (isSaved) => {
      if (isSaved) announce(own.done[format]);
    },
  });
  const refused = saving.error instanceof Refused ? placed(refusalsOf(saving.error), draft.rows) : [];
  const atRows = refused.filter(({ row }) => row !== undefined);
  const change = (next: Draft) => {
    if (!saving.isPending) saving.reset();
    setDraft(next);
  };
  const isChanged = !isSame(start, draft);

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
    // Also where nothing else changes.
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

  const did = ({ draft: next, focus: row }: moves.Moved, member: string) => {
    change(next);
    if (row !== undefined) focus.current = { row, member };
  };
  const rowOf = (key: number | undefined) => draft.rows.find((row) => row.key === key);
  const lockOfRow = (row: Row) => (unlocked.has(row.key) ? undefined : lockOf(row, format, isNew));
  const canLink = (row: Row | undefined) => mayLink && row !== undefined && rulesOf(row.tag, rules).length > 0;

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
    const act = moves.meant(event);
    const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    // A button is pressed by Enter, and a list opened by Alt and an arrow.
    if (act === undefined || (act === "add" && !isText)) return;
    if (target instanceof HTMLSelectElement && (act === "up" || act === "down")) return;
    if (act === "save" || act === "keys") return;
    event.preventDefault();
    if (act === "add") did(moves.added(draft, key), "tag");
    if (act === "remove" && lockOfRow(row) === undefined) did(moves.removed(draft, key), member);
    if (act === "back") did(moves.putBack(draft), "tag");
    if (act === "up" || act === "down") did(moves.moved(draft, key, act === "up" ? -1 : 1), member);
    if (act === "link" && canLink(row) && !row.link) setLinking(key);
  };
  useEditorKeys({ save: trySave, keys: () => setShowsKeys((now) => !now) });

  const automatic = useMutation({
    mutationFn: async () => suggested(draft.rows, (await suggestLinks(draft)).fields),
    onSuccess: ({ rows, failed }) => {
      change({ ...draft, rows });
      setCauses(new Map(failed.map(({ row, cause }) => [row, cause])));
    },
  });
  const autoCount = automatic.data?.linked;

  // What is not written yet is no mistake while one writes.
  const isUnfinished = ({ name }: Problem) => name === "tag" || name === "noText";
  const isShown = (problem: Problem) => isTried || !isUnfinished(problem) || (!isNew && problem.row !== active);
  const general = found.filter(({ row }) => row === undefined);
  const linkingRow = rowOf(linking);

  return (
    <div className="desk-page marc-page">
      <Head stored={stored} format={format} of={of} isChanged={isChanged} isSaving={saving.isPending}>
        {format === "BIBLIOGRAPHIC" && may(NEEDS.suggest) && (
          <Button onPress={() => automatic.mutate()} isDisabled={automatic.isPending}>
            {own.link.auto}
          </Button>
        )}
        <Button aria-expanded={showsKeys} onPress={() => setShowsKeys(!showsKeys)}>
          {own.keysTitle} <kbd>F1</kbd>
        </Button>
      </Head>
      {above}
      {showsKeys && <Keys />}
      {automatic.error && <Trouble error={automatic.error} />}
      {autoCount !== undefined && (
        <p className="banner note" role="status">
          {autoCount > 0 ? own.link.autoDone(autoCount) : own.link.autoNone}
        </p>
      )}
      {helps && <div className="marc-helps">{helps(draft, change)}</div>}
      <LeaderForm
        format={format}
        leader={draft.leader}
        wrong={general.flatMap(({ name, of = "", isWarning }) => (name === "leaderValue" && !isWarning ? of : []))}
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
            onChange={(part) => change(moves.changed(draft, row.key, part))}
            onTag={(tag) =>
              change(moves.retagged(draft, row.key, tag, (tag) => fresh(tag, draft.leader, specification, new Date())))
            }
            onRemove={() => did(moves.removed(draft, row.key), "tag")}
            onUnlock={() => setUnlocked(new Set([...unlocked, row.key]))}
            onLink={() => setLinking(row.key)}
            onUnlink={() => change({ ...draft, rows: draft.rows.map((one) => (one === row ? unlinked(row) : one)) })}
          />
        ))}
      </ol>
      <div className="marc-below">
        <Button onPress={() => did(moves.added(draft, draft.rows.at(-1)?.key), "tag")}>{own.addFirst}</Button>
        {draft.removed.length > 0 && (
          <Button onPress={() => did(moves.putBack(draft), "tag")}>
            {own.putBack(draft.removed.at(-1)?.row.tag ?? "")}
          </Button>
        )}
        {format !== "AUTHORITY" && (
          <Tick
            value={draft.suppressDiscovery}
            onChange={(suppressDiscovery) => change({ ...draft, suppressDiscovery })}
          >
            {own.suppress}
          </Tick>
        )}
      </div>
      <End
        stored={stored}
        format={format}
        isChanged={isChanged}
        found={found}
        general={general}
        isTried={isTried}
        isSaving={saving.isPending}
        error={saving.error}
        atRows={atRows}
        refused={refused}
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
      <AsksBeforeLeaving isUnsaved={isChanged} />
    </div>
  );
}

/** Wherever one is on the page, but for a dialog above it. */
function useEditorKeys(does: { save: () => void; keys: () => void }): void {
  const latest = useRef(does);
  latest.current = does;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = moves.meant(event);
      if (act !== "save" && act !== "keys") return;
      // The browser would save the page, or show its own help.
      event.preventDefault();
      if (document.querySelector(".veil") === null) latest.current[act]();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}
