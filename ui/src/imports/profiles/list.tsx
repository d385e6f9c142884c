/** All profiles of a kind, found by words of their names and descriptions. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import {
  type ActionProfile,
  type JobProfile,
  type MappingProfile,
  type MatchProfile,
  type Profile,
  searchProfiles,
} from "../../api/import-profiles.ts";
import { Pager, usePage } from "../../parts/pager.tsx";
import { SearchLine, useAddress } from "../../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { KINDS, type ProfileSlug, permissionTo } from "./kinds.ts";
import { valueAt } from "./match.ts";
import type { ProfileWords } from "./words/en.ts";
import { useProfileWords } from "./words/index.tsx";

export function ProfileList({ slug }: { slug: ProfileSlug }) {
  const words = useProfileWords();
  const may = useMay();
  const [get] = useAddress();
  const page = usePage();
  const text = get("query");
  const found = useQuery({
    queryKey: ["import-profiles", KINDS[slug].path, "list", text, page],
    queryFn: () => searchProfiles(KINDS[slug].path, { text, ...page }),
    placeholderData: keepPreviousData,
  });
  const { profiles: all = [], total = 0 } = found.data ?? {};
  return (
    <section className="work" aria-label={words.kinds[slug].many}>
      <div className="tools">
        <p className="help">{words.kinds[slug].help}</p>
        {may(permissionTo("post", slug)) && (
          <Link href={`/import/profiles/${slug}/new`} className="button primary">
            {words.kinds[slug].add}
          </Link>
        )}
      </div>
      <SearchLine label={words.kinds[slug].find} isMain={false} />
      {found.isPending && <Loading />}
      {found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && all.length === 0 && <EmptyMessage>{text ? words.noneFits : words.none}</EmptyMessage>}
      <ul className="rows">
        {all.map((profile) => (
          <li className="row short" key={profile.id}>
            <div className="what">
              <Link href={`/import/profiles/${slug}/${profile.id}`}>
                <bdi>{profile.name}</bdi>
              </Link>
              {profile.description && <small>{profile.description}</small>}
            </div>
            <p className="due quiet">
              <small>{SUMMARIES[slug](profile, words)}</small>
            </p>
          </li>
        ))}
      </ul>
      {total > 0 && <Pager total={total} />}
    </section>
  );
}

type Summary = (profile: Profile, words: ProfileWords) => string;

const SUMMARIES: Record<ProfileSlug, Summary> = {
  jobs: (profile, { dataTypes }) => {
    const { dataType } = profile as JobProfile;
    return dataTypes[dataType] ?? dataType;
  },
  matches: (profile, { recordTypes }) => {
    const { incomingRecordType, existingRecordType, matchDetails: [detail] = [] } = profile as MatchProfile;
    const of = (type: string, tag = "") => [recordTypes[type] ?? type, /^\d{3}$/.test(tag) ? tag : ""].join(" ").trim();
    const tag = (side: "incomingMatchExpression" | "existingMatchExpression") =>
      detail && valueAt(detail[side], "field");
    return `${of(incomingRecordType, tag("incomingMatchExpression"))} · ${of(existingRecordType, tag("existingMatchExpression"))}`;
  },
  actions: (profile, { action, recordTypes }) => {
    const { action: does, folioRecord } = profile as ActionProfile;
    return `${action.actions[does] ?? does} · ${recordTypes[folioRecord] ?? folioRecord}`;
  },
  mappings: (profile, { recordTypes }) => {
    const { existingRecordType } = profile as MappingProfile;
    return recordTypes[existingRecordType] ?? existingRecordType;
  },
};
