/** Changes of authorities that the server applies to linked titles: progress and results. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { useFormats } from "../words/index.tsx";
import { type AuthorityChange, countRemaining, isRunning, loadChanges } from "./calls.ts";
import { useHeadingWords } from "./words/index.tsx";

const ACTIONS = ["UPDATE_HEADING", "UPDATE_NATURAL_ID", "DELETE"] as const;

const REFETCH_MS = 2_000;

async function loadAllChanges(): Promise<AuthorityChange[]> {
  const now = Date.now();
  const lists = await Promise.all(ACTIONS.map((action) => loadChanges(action, now)));
  const when = ({ metadata }: AuthorityChange) => metadata?.startedAt ?? "";
  return lists.flat().sort((one, other) => when(other).localeCompare(when(one)));
}

/** Loaded again every two seconds while a change is running. */
const useChanges = () =>
  useQuery({
    queryKey: ["authority-changes"],
    queryFn: loadAllChanges,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? REFETCH_MS : false),
  });

export function ChangesPage() {
  const own = useHeadingWords();
  const asked = useChanges();
  return (
    <div className="desk-page">
      <h1>{own.changes.title}</h1>
      <p className="help">{own.changes.help}</p>
      {asked.isPending && <Loading />}
      {asked.error && <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />}
      {asked.data?.length === 0 && <EmptyMessage>{own.changes.none}</EmptyMessage>}
      {asked.data && asked.data.length > 0 && (
        <ul className="rows">
          {asked.data.map((change) => (
            <ChangeRow key={change.id} change={change} isLinked />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The changes of one authority; nothing is shown if there are none. */
export function ChangesOfAuthority({ authorityId }: { authorityId: string }) {
  const own = useHeadingWords();
  const asked = useChanges();
  const ofIt = asked.data?.filter((change) => change.authorityId === authorityId) ?? [];
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  if (ofIt.length === 0) return null;
  return (
    <section>
      <h2>{own.changes.title}</h2>
      <ul className="rows">
        {ofIt.map((change) => (
          <ChangeRow key={change.id} change={change} isLinked={false} />
        ))}
      </ul>
    </section>
  );
}

function ChangeRow({ change, isLinked }: { change: AuthorityChange; isLinked: boolean }) {
  const own = useHeadingWords();
  const formats = useFormats();
  const { action, authorityId, metadata, lbTotal = 0, lbUpdated = 0, lbFailed = 0 } = change;
  const who = [metadata?.startedByUserFirstName, metadata?.startedByUserLastName].filter(Boolean).join(" ");
  const [was, will] =
    action === "UPDATE_NATURAL_ID"
      ? [change.naturalIdOld, change.naturalIdNew]
      : [change.headingOld, action === "DELETE" ? undefined : change.headingNew];
  const running = isRunning(change);
  return (
    <li className="row authority-change">
      <div className="what">
        <b>{own.changes.actions[action]}</b>
        <span>
          {isLinked && action !== "DELETE" ? (
            <Link href={`/authorities/${authorityId}`} dir="auto">
              {was}
            </Link>
          ) : (
            <bdi>{was}</bdi>
          )}
          {will !== undefined && (
            <>
              {" "}
              <span className="onward" role="img" aria-label={own.changes.becomes}>
                →
              </span>{" "}
              <bdi>{will}</bdi>
            </>
          )}
        </span>
        <small>{[metadata?.startedAt && formats.moment(metadata.startedAt), who].filter(Boolean).join(" · ")}</small>
      </div>
      <div className="authority-far">
        {running && (
          <progress aria-label={own.changes.actions[action]} max={lbTotal} value={lbTotal - countRemaining(change)} />
        )}
        <p role="status">{own.changes.progress(lbUpdated, lbTotal)}</p>
        {lbFailed > 0 && <p className="error">{own.changes.failed(lbFailed)}</p>}
      </div>
    </li>
  );
}
