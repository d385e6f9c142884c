/** All records of a kind, found by their names. */

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { recordsQuery } from "../api/settings.ts";
import { useAltKey } from "../parts/alt-key.ts";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { type Kind, rightsTo, titleOf } from "./kind.ts";
import { useRuleLines } from "./uses.ts";
import { useSettingsWords } from "./words/index.tsx";

/** Up to so many records, the list has no search field. */
const MAX_WITHOUT_SEARCH = 8;

export function KindList({ kind }: { kind: Kind }) {
  const words = useSettingsWords();
  const common = useWords();
  const formats = useFormats();
  const may = useMay();
  const [get] = useAddress();
  const asked = useQuery(recordsQuery(kind));
  const lines = useRuleLines();
  const [, navigate] = useLocation();
  const canMake = !kind.hasFixedRecords && may(rightsTo.make(kind));
  useAltKey("N", () => canMake && navigate(`/settings/${kind.slug}/new`));
  if (asked.isPending) return <Loading />;
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  const all = [...asked.data].sort((one, other) => titleOf(kind, one).localeCompare(titleOf(kind, other)));
  const text = get("query").toLowerCase();
  const found = all.filter((record) => titleOf(kind, record).toLowerCase().includes(text));
  return (
    <section className="work" aria-label={words.kinds[kind.name].many}>
      <div className="tools">
        <p className="help">{words.kinds[kind.name].help}</p>
        {canMake && (
          <Link href={`/settings/${kind.slug}/new`} className="button primary" aria-keyshortcuts="Alt+N">
            {words.kinds[kind.name].make}
          </Link>
        )}
      </div>
      {(all.length > MAX_WITHOUT_SEARCH || text) && <SearchLine label={common.search} isMain={false} />}
      {found.length === 0 && <EmptyMessage>{text ? words.noneFound : words.noneYet}</EmptyMessage>}
      <ul className="rows">
        {found.map((record) => {
          const used = lines?.get(record.id ?? "")?.length ?? 0;
          const summary = kind.summary?.(record, words, formats);
          return (
            <li className="row short" key={record.id}>
              <div className="what">
                <Link href={`/settings/${kind.slug}/${record.id}`}>
                  {words.serverNames[titleOf(kind, record)] ?? titleOf(kind, record)}
                </Link>
                {summary && <small>{summary}</small>}
              </div>
              {kind.letter && lines && (
                <p className="due quiet">
                  <small>{used ? words.usedCount(used) : words.notUsedShort}</small>
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
