/** The jobs that have ended: which file, by which profile, who, when, and with what outcome. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type Job, loadJobProfiles, loadJobs, loadJobUsers, loadSummary } from "../api/imports.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Pager, usePage } from "../parts/pager.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { TextFilter } from "../parts/text-filter.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { finishedQuery, JOB_FILTERS, type JobFilters, jobFiltersFromAddress, OUTCOMES, SORTS } from "./asked.ts";
import { MAY_READ_LOGS } from "./rights.ts";
import { personName } from "./running.tsx";
import { useImportWords } from "./words/index.tsx";

const ANY = "any";

export function FinishedJobs() {
  const own = useImportWords();
  const words = own.finished;
  const { timeZone } = useFormats();
  const [get] = useAddress();
  const wanted = jobFiltersFromAddress(get);
  const page = usePage();
  const query = finishedQuery(wanted, page, timeZone);
  const found = useQuery({
    queryKey: ["import-jobs", "finished", query],
    queryFn: ({ signal }) => loadJobs(query, signal),
    placeholderData: keepPreviousData,
  });
  const { jobExecutions: all = [], totalRecords: total = 0 } = found.data ?? {};
  const isNarrowed = JOB_FILTERS.some((name) => wanted[name] !== "");
  return (
    <section className="import-finished" aria-labelledby="import-finished">
      <h2 id="import-finished">{words.title}</h2>
      <JobFilterBar wanted={wanted} />
      {found.isPending && <Loading />}
      {found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && all.length === 0 && <EmptyMessage>{isNarrowed ? words.none : words.noneYet}</EmptyMessage>}
      {all.length > 0 && (
        <>
          <div className="import-wide">
            <table className="import-table">
              <thead>
                <tr>
                  {(["file", "outcome", "counts", "profile", "user", "completed"] as const).map((column) => (
                    <th key={column} scope="col">
                      {words.columns[column]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {all.map((job) => (
                  <FinishedJob key={job.id} job={job} />
                ))}
              </tbody>
            </table>
          </div>
          <Pager total={total} />
        </>
      )}
    </section>
  );
}

function FinishedJob({ job }: { job: Job }) {
  const words = useImportWords().finished;
  const formats = useFormats();
  const may = useMay();
  const { id, hrId, fileName = "", status, progress, jobProfileInfo, runBy, completedDate } = job;
  const { jobPartNumber, totalJobParts = 1, isTrial } = job;
  const name = <bdi>{fileName}</bdi>;
  return (
    <tr>
      <th scope="row">
        {may(MAY_READ_LOGS) ? <Link href={`/import/jobs/${id}`}>{name}</Link> : name}
        {(hrId !== undefined || totalJobParts > 1) && (
          <small>
            {hrId}
            {totalJobParts > 1 && jobPartNumber !== undefined && ` · ${words.part(jobPartNumber, totalJobParts)}`}
          </small>
        )}
      </th>
      <td className={status === "COMMITTED" ? "good" : status === "ERROR" ? "bad" : ""}>
        {words.outcomes[status]}
        {isTrial && <small className="trial-mark">{words.trial}</small>}
      </td>
      <td>
        {words.records(progress?.current ?? 0)}
        {may(MAY_READ_LOGS) && <ErrorCount job={job} />}
      </td>
      <td>{jobProfileInfo?.name}</td>
      <td>{personName(runBy)}</td>
      <td>{completedDate && formats.moment(completedDate)}</td>
    </tr>
  );
}

/** The number of errors, which the list of jobs does not have. A finished job does not change, so it is cached. */
function ErrorCount({ job: { id } }: { job: Job }) {
  const words = useImportWords().finished;
  const found = useQuery({
    queryKey: ["import-summary", id],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: () => loadSummary(id),
  });
  if (found.data === undefined) return null;
  const { totalErrors = 0 } = found.data;
  return (
    <small className={totalErrors > 0 ? "bad" : ""}>
      {totalErrors > 0 ? words.errors(totalErrors) : words.noErrors}
    </small>
  );
}

function JobFilterBar({ wanted }: { wanted: JobFilters }) {
  const own = useImportWords();
  const words = own.filters;
  const [, set] = useAddress();
  const change = (name: string, value: string | undefined) => set({ [name]: value, page: undefined });
  const options = {
    outcome: OUTCOMES.map((id) => ({ id: id as string, name: own.finished.outcomes[id] ?? id })),
    profile: useQuery({ queryKey: ["import-jobs", "finished", "profiles"], queryFn: loadJobProfiles }).data ?? [],
    user: useQuery({ queryKey: ["import-jobs", "finished", "users"], queryFn: loadJobUsers }).data ?? [],
  };
  return (
    <section className="list-filters" aria-label={words.title}>
      <TextFilter label={words.file} value={wanted.file} onChange={(text) => change("file", text)} />
      {(["outcome", "profile", "user"] as const).map((name) => (
        <Choice
          key={name}
          className="inline"
          label={words[name]}
          options={[{ id: ANY, name: words.any }, ...options[name]]}
          value={wanted[name] || ANY}
          onChange={(id) => change(name, id === ANY ? undefined : id)}
        />
      ))}
      {(["from", "to"] as const).map((name) => (
        <label className="list-days" key={name}>
          {words[name]}
          <input type="date" value={wanted[name]} onChange={(event) => change(name, event.target.value)} />
        </label>
      ))}
      <Choice
        className="inline"
        label={words.sort}
        options={SORTS.map((id) => ({ id: id as string, name: words.sorts[id] ?? id }))}
        value={wanted.sort}
        onChange={(sort) => change("sort", sort)}
      />
      {JOB_FILTERS.some((name) => wanted[name] !== "") && (
        <Button
          kind="quiet"
          onPress={() => set({ ...Object.fromEntries(JOB_FILTERS.map((name) => [name, undefined])), page: undefined })}
        >
          {words.clear}
        </Button>
      )}
    </section>
  );
}
