/** Undoing an import job: preview, progress, and the records that could not be undone. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { beginUndo, type Job, loadUndoPreview, loadUndoState, type UndoState } from "../api/imports.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { MAY_SEE_UNDO, MAY_UNDO } from "./rights.ts";
import {
  addPage,
  countRecords,
  EMPTY_FORECAST,
  explainUndoReason,
  groupByReason,
  type RecordsThatStay,
  type UndoForecast,
} from "./undoing.ts";
import { useImportWords } from "./words/index.tsx";

const REFETCH_MS = 1_000;

export function useUndoState({ id }: Pick<Job, "id">, isAsked: boolean) {
  const may = useMay();
  return useQuery({
    queryKey: ["import-undo", id],
    enabled: isAsked && may(MAY_SEE_UNDO),
    refetchInterval: ({ state }) => state.data?.status === "IN_PROGRESS" && REFETCH_MS,
    queryFn: () => loadUndoState(id),
  });
}

export function UndoButton({ job }: { job: Job }) {
  const words = useImportWords().undo;
  const may = useMay();
  const client = useQueryClient();
  if (!may(MAY_UNDO)) return null;
  return (
    <DialogOpener>
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
        <UndoForecastView job={job} />
      </FormDialog>
    </DialogOpener>
  );
}

function UndoForecastView({ job: { id, progress } }: { job: Job }) {
  const own = useImportWords();
  const words = own.undo;
  const formats = useFormats();
  const [found, setFound] = useState<UndoForecast>(EMPTY_FORECAST);
  const asked = useQuery({
    queryKey: ["import-undo-preview", id],
    // Not cached: records may change before the dialog is opened again.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) => {
      let all = EMPTY_FORECAST;
      let before: number | undefined;
      do {
        const page = await loadUndoPreview(id, before, signal);
        all = addPage(all, page);
        setFound(all);
        before = page.next;
      } while (before !== undefined);
      return all;
    },
  });
  const total = progress?.current ?? found.checked;
  const { entities, stays, checked } = found;
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return (
    <div className="undo-preview" aria-busy={asked.isPending}>
      {asked.isPending && (
        <div className="import-sent">
          <p id="undo-looking">{words.looking(formats.number(checked), formats.number(total))}</p>
          <progress value={checked} max={Math.max(1, total)} aria-labelledby="undo-looking" />
        </div>
      )}
      {asked.data && (
        <p role="status">
          <strong>{words.foreseen(checked - countRecords(stays), countRecords(stays))}</strong>
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
      <UnchangedRecords stays={stays} />
    </div>
  );
}

/** Records that stay as they are, grouped by reason. */
function UnchangedRecords({ stays }: { stays: readonly RecordsThatStay[] }) {
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
            {explainUndoReason(reason, words.reasons) ?? own.job.originally(reason)}{" "}
            <small>
              {words.numbers(numbers.map((number) => formats.number(number)).join(", "), count - numbers.length)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Progress of the undo, and the records that stayed. */
export function UndoProgress({ job, state }: { job: Job; state: UndoState }) {
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
      <UnchangedRecords stays={withTotalCount(groupByReason(notUndone), notUndoneRecords)} />
    </section>
  );
}

/** The server lists at most 1000 records that stay. If all have one reason, the total count is used for it. */
const withTotalCount = (stays: RecordsThatStay[], all: number): RecordsThatStay[] => {
  const [only, ...others] = stays;
  return only && others.length === 0 ? [{ ...only, count: all }] : stays;
};
