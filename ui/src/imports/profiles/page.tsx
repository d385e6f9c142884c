/** Profiles of imports, by kind: all of them, one, or a new one. */

import { useQuery } from "@tanstack/react-query";
import { Link, Redirect, useParams } from "wouter";
import { Refused } from "../../api/http.ts";
import {
  type ActionProfile,
  type JobProfile,
  loadProfileTree,
  type MappingProfile,
  type MatchProfile,
  type Profile,
  loadProfile as profileOf,
  type Wrapper,
} from "../../api/import-profiles.ts";
import { useAddress } from "../../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { ActionForm } from "./action-form.tsx";
import { JobForm } from "./job-form.tsx";
import { KINDS, type ProfileSlug, permissionTo, SLUGS, type Slug } from "./kinds.ts";
import { ProfileList } from "./list.tsx";
import { MappingForm } from "./mapping-form.tsx";
import { blankDetail } from "./match.ts";
import { MatchForm } from "./match-form.tsx";
import { ProtectionList } from "./protection.tsx";
import { useProfileWords } from "./words/index.tsx";

export function ProfilePages() {
  const words = useProfileWords();
  const may = useMay();
  const [slug, id] = (useParams()["*"] ?? "").split("/");
  const open = SLUGS.filter((one) => may(permissionTo("get", one)));
  const [first] = open;
  if (!open.some((one) => one === slug)) {
    return first ? <Redirect to={`/import/profiles/${first}`} replace /> : <EmptyMessage>{words.none}</EmptyMessage>;
  }
  const kind = slug as Slug;
  return (
    <>
      <header className="settings-head">
        {id ? <p className="import-title">{words.title}</p> : <h1>{words.title}</h1>}
        {may("metadata-provider.jobexecutions.get") && <Link href="/import">{words.toImports}</Link>}
      </header>
      <nav className="import-kinds" aria-label={words.title}>
        {open.map((one) => (
          <Link key={one} href={`/import/profiles/${one}`} aria-current={one === kind ? "page" : undefined}>
            {words.kinds[one].many}
          </Link>
        ))}
      </nav>
      {kind === "protection" ? (
        <ProtectionList />
      ) : id ? (
        <ProfilePage slug={kind} id={id} />
      ) : (
        <ProfileList slug={kind} />
      )}
    </>
  );
}

const BLANKS: Record<ProfileSlug, Profile> = {
  jobs: { name: "", dataType: "MARC" } as JobProfile,
  matches: {
    name: "",
    incomingRecordType: "MARC_BIBLIOGRAPHIC",
    existingRecordType: "INSTANCE",
    matchDetails: [blankDetail("MARC_BIBLIOGRAPHIC", "INSTANCE")],
  } as MatchProfile,
  actions: { name: "", action: "CREATE", folioRecord: "INSTANCE" } as ActionProfile,
  mappings: {
    name: "",
    incomingRecordType: "MARC_BIBLIOGRAPHIC",
    existingRecordType: "INSTANCE",
    mappingDetails: { name: "instance", recordType: "INSTANCE", mappingFields: [], marcMappingDetails: [] },
  } as MappingProfile,
};

/** Loaded when the page opens and after saving, never while somebody edits: that would begin the form anew. */
const ONCE = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };

function ProfilePage({ slug, id }: { slug: ProfileSlug; id: string }) {
  const words = useProfileWords();
  const [get] = useAddress();
  const isNew = id === "new";
  const model = isNew ? get("like") : id;
  const { path } = KINDS[slug];
  const stored = useQuery({
    queryKey: ["import-profiles", path, model],
    enabled: model !== "",
    ...ONCE,
    retry: false,
    queryFn: () => profileOf<Profile>(path, model),
  });
  const tree = useQuery({
    queryKey: ["import-profiles", path, model, "tree"],
    enabled: model !== "" && slug === "jobs",
    ...ONCE,
    retry: false,
    queryFn: () => loadProfileTree(model),
  });
  if (model === "") return <ProfileEditor slug={slug} profile={BLANKS[slug]} tree={undefined} key="new" />;
  const error = stored.error ?? tree.error;
  if (error instanceof Refused && error.status === 404) return <EmptyMessage>{words.gone}</EmptyMessage>;
  if (error) return <ErrorMessage error={error} retry={() => void Promise.all([stored.refetch(), tree.refetch()])} />;
  if (stored.data === undefined || (slug === "jobs" && tree.data === undefined)) return <Loading />;
  // The key starts a new form after saving; an open form keeps its content.
  const key = `${id} ${model} ${stored.dataUpdatedAt} ${tree.dataUpdatedAt}`;
  if (!isNew) return <ProfileEditor slug={slug} profile={stored.data} tree={tree.data} key={key} />;
  const { id: _, parentProfiles: __, hidden: ___, ...copy } = stored.data;
  // The server sets owner and dates of the copy.
  const { metadata: ____, userInfo: _____, ...own } = copy as typeof copy & { metadata?: unknown; userInfo?: unknown };
  return <ProfileEditor slug={slug} profile={{ ...own, name: words.copyOf(own.name) }} tree={tree.data} key={key} />;
}

function ProfileEditor({ slug, profile, tree }: { slug: ProfileSlug; profile: Profile; tree: Wrapper | undefined }) {
  if (slug === "jobs") return <JobForm stored={profile as JobProfile} tree={tree} />;
  if (slug === "matches") return <MatchForm stored={profile as MatchProfile} />;
  if (slug === "actions") return <ActionForm stored={profile as ActionProfile} />;
  return <MappingForm stored={profile as MappingProfile} />;
}
