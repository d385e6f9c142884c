/** A job is undone: what would go and what would stay, then how far it is, and what has stayed. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { beginUndo, type Job, type UndoState, undoPreview, undoState } from "../api/imports.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { Trouble } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { MAY_SEE_UNDO, MAY_UNDO } from "./rights.ts";
import { byReason, countOf, type Foreseen, inUndoWords, NOTHING_YET, type Stays, withPage } from "./undoing.ts";
import { useImportWords } from "./words/index.tsx";

const OFTEN_MS = 1_000;

export function useUndo({ id }: Pick<Job, "id">, isAsked: boolean) {
  const may = useMay();
  return useQuery({
    queryKey: ["import-undo", id],
    enabled: isAsked && may(MAY_SEE_UNDO),
    refetchInterval: ({ state }) => state.data?.status === "IN_PROGRESS" && OFTEN_MS,
    queryFn: () => undoState(id),
  });
}

export function UndoButton({ job }: { job: Job }) {
  const words = useImportWords().undo;
  const may = useMay();
  const client = useQueryClient();
  if (!may(MAY_UNDO)) return null;
  return (
    <Opens>
      <Button kind="danger">{words.button}</Button>
      <FormDialog
        title={words.title(job.fileName ?? "")}
        submit={words.submit}
        danger
        onSubmit={async () => {
          await beginUndo(job.id);
          announce(words.begun);
          await client.invalidateQueries({ queryKey: ["import-undo", job.id] });
        }}
      >
        <p>{words.help}</p>
        <Preview job={job} />
      </FormDialog>
    </Opens>
  );
}

function Preview({ job: { id, progress } }: { job: Job }) {
  const own = useImportWords();
  const words = own.undo;
  const formats = useFormats();
  const [found, setFound] = useState<Foreseen>(NOTHING_YET);
  const asked = useQuery({
    queryKey: ["import-undo-preview", id],
    // What stands against it may be otherwise the next time.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) => {
      let all = NOTHING_YET;
      let before: number | undefined;
      do {
        const page = await undoPreview(id, before, signal);
        all = withPage(all, page);
        setFound(all);
        before = page.next;
      } while (before !== undefined);
      return all;
    },
  });
  const total = progress?.current ?? found.looked;
  const { entities, stays, looked } = found;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  return (
    <div className="undo-preview" aria-busy={asked.isPending}>
      {asked.isPending && (
        <div className="import-sent">
          <p id="undo-looking">{words.looking(formats.number(looked), formats.number(total))}</p>
          <progress value={looked} max={Math.max(1, total)} aria-labelledby="undo-looking" />
        </div>
      )}
      {asked.data && (
        <p role="status">
          <strong>{words.foreseen(looked - countOf(stays), countOf(stays))}</strong>
        </p>
      )}
      {entities.length > 0 && (
        <ul className="undo-counts">
          {entities.map(({ entityType, removed, restored }) => {
            const name = own.entities[entityType.toLowerCase() as keyof typeof own.entities] ?? entityType;
            return (
              <li key={entityType}>
                {name}: {words.counts(formats.number(removed), formats.number(restored))}
              </li>
            );
          })}
        </ul>
      )}
      <Staying stays={stays} />
    </div>
  );
}

/** Why records stay, each reason once. */
function Staying({ stays }: { stays: readonly Stays[] }) {
  const own = useImportWords();
  const words = own.undo;
  const formats = useFormats();
  if (stays.length === 0) return null;
  return (
    <section aria-label={words.stay}>
      <h3>{words.stay}</h3>
      <ul className="undo-stays">
        {stays.map(({ reason, count, numbers }) => (
          <li key={reason}>
            {inUndoWords(reason, words.reasons) ?? own.job.originally(reason)}{" "}
            <small>
              {words.numbers(numbers.map((number) => formats.number(number)).join(", "), count - numbers.length)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How far it is, and what has stayed. */
export function Undone({ job, state }: { job: Job; state: UndoState }) {
  const words = useImportWords().undo;
  const formats = useFormats();
  const { status, undoneRecords, notUndoneRecords, completedDate, notUndone } = state;
  if (status === "NOT_STARTED") return null;
  const total = job.progress?.current ?? 0;
  const done = undoneRecords + notUndoneRecords;
  return (
    <section className="sheet undone" aria-labelledby="import-undone">
      <h2 id="import-undone">{words.state}</h2>
      {status === "IN_PROGRESS" ? (
        <div className="import-sent">
          <p id="undo-progress">{words.progress(formats.number(done), formats.number(total))}</p>
          <progress value={done} max={Math.max(1, total)} aria-labelledby="undo-progress" />
        </div>
      ) : (
        <p role="status">
          {words.done(undoneRecords, notUndoneRecords)} {completedDate && formats.moment(completedDate)}
        </p>
      )}
      <Staying stays={withAll(byReason(notUndone), notUndoneRecords)} />
    </section>
  );
}

/** The server names the first thousand; the others are counted with the last reason if there is only one. */
const withAll = (stays: Stays[], all: number): Stays[] => {
  const [only, ...others] = stays;
  return only && others.length === 0 ? [{ ...only, count: all }] : stays;
};
