/** The kinds of profiles: where they are, and what one must be allowed to see and change them. */

import type { ProfileType } from "../../api/import-profiles.ts";

export const SLUGS = ["jobs", "matches", "actions", "mappings", "protection"] as const;
export type Slug = (typeof SLUGS)[number];
export type ProfileSlug = Exclude<Slug, "protection">;

interface Kind {
  /** The name in the server's paths. */
  path: string;
  type: ProfileType;
}

export const KINDS: Record<ProfileSlug, Kind> = {
  jobs: { path: "jobProfiles", type: "JOB_PROFILE" },
  matches: { path: "matchProfiles", type: "MATCH_PROFILE" },
  actions: { path: "actionProfiles", type: "ACTION_PROFILE" },
  mappings: { path: "mappingProfiles", type: "MAPPING_PROFILE" },
};

const PERMISSION_OBJECTS: Record<Slug, string> = {
  jobs: "jobprofile",
  matches: "matchprofile",
  actions: "actionprofile",
  mappings: "mappingprofile",
  protection: "field-protection-settings",
};

export type May = (...permissions: string[]) => boolean;

export const permissionTo = (does: "get" | "post" | "put" | "delete", slug: Slug) =>
  `converter-storage.${PERMISSION_OBJECTS[slug]}.${does}`;

export const mayReadProfiles = (may: May) => SLUGS.some((slug) => may(permissionTo("get", slug)));

export const slugOf = (type: ProfileType) =>
  (Object.keys(KINDS) as ProfileSlug[]).find((slug) => KINDS[slug].type === type) ?? "jobs";

export const pathOf = (type: ProfileType, id: string | undefined) => `/import/profiles/${slugOf(type)}/${id ?? ""}`;
