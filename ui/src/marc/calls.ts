/** The calls of the MARC editor. */

import { useQuery } from "@tanstack/react-query";
import { ask, Refused } from "../api/http.ts";
import type { Specification } from "./fixed.ts";
import type { MarcJson } from "./lines.ts";
import type { LinkingRule } from "./linking.ts";
import { type Draft, type Format, fieldsOf, type QuickMarc } from "./record.ts";

const RECORDS = "/records-editor/records";

/** A record with the version that it has; a change names it. */
export interface StoredMarc {
  record: QuickMarc;
  version: string;
}

const DESCRIBED: Record<Format, string> = {
  BIBLIOGRAPHIC: "/inventory/instances",
  HOLDINGS: "/holdings-storage/holdings",
  AUTHORITY: "/authority-storage/authorities",
};

export async function readMarc(externalId: string): Promise<StoredMarc> {
  const record = await ask<QuickMarc>(RECORDS, { query: { externalId } });
  const described = await ask<{ _version?: number | string }>(`${DESCRIBED[record.marcFormat]}/${externalId}`);
  return { record, version: String(described._version ?? "") };
}

export async function replaceMarc(draft: Draft, { record, version }: StoredMarc): Promise<void> {
  const { parsedRecordId, parsedRecordDtoId, externalId, externalHrid = "" } = record;
  const body = {
    ...bodyOf(draft),
    parsedRecordId,
    parsedRecordDtoId,
    externalId,
    externalHrid,
    relatedRecordVersion: version,
  };
  await ask(`${RECORDS}/${parsedRecordId}`, { method: "PUT", body });
}

const bodyOf = ({ format, leader, rows, suppressDiscovery }: Draft) => ({
  leader,
  fields: fieldsOf(rows),
  marcFormat: format,
  suppressDiscovery,
});

interface CreationStatus {
  qmRecordId: string;
  externalId?: string;
  status: "NEW" | "IN_PROGRESS" | "CREATED" | "ERROR";
  errorMessage?: string;
}

const PAUSE_MS = 500;
/** After that the record may still come; it is no longer waited for. */
const MOST_ASKED = 60;

export class NotMadeYet extends Error {}

/** The id of the title, the holdings or the authority that was made. */
export async function makeMarc(draft: Draft): Promise<string> {
  let state = await ask<CreationStatus>(RECORDS, { method: "POST", body: bodyOf(draft) });
  for (let asked = 0; asked < MOST_ASKED; asked += 1) {
    if (state.status === "ERROR") throw new Refused(422, [{ message: state.errorMessage ?? "" }]);
    if (state.status === "CREATED" && state.externalId) return state.externalId;
    await new Promise((go) => setTimeout(go, PAUSE_MS));
    state = await ask<CreationStatus>(`${RECORDS}/status`, { query: { qmRecordId: state.qmRecordId } });
  }
  throw new NotMadeYet();
}

/** A change may be kept in a queue for a while: until then the record says so. */
export async function settled(externalId: string): Promise<StoredMarc> {
  for (let asked = 0; ; asked += 1) {
    const stored = await readMarc(externalId);
    const { recordState } = stored.record.updateInfo ?? {};
    if (recordState !== "IN_PROGRESS" || asked >= MOST_ASKED) return stored;
    await new Promise((go) => setTimeout(go, PAUSE_MS));
  }
}

/** The fields with the links that the server finds by the natural ids in `$0`. */
export const suggestLinks = (draft: Draft) =>
  ask<QuickMarc>("/records-editor/links/suggestion", { method: "POST", body: bodyOf(draft) });

/** None: this server has no table for it, and the positions are shown as they come. */
async function specificationOf(format: Format): Promise<Specification | null> {
  try {
    return await ask<Specification>(`/marc-specifications/${format.toLowerCase()}/008`);
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

export function useSpecification(format: Format) {
  return useQuery({
    queryKey: ["marc-specification", format],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => specificationOf(format),
  });
}

/** None where one may not see them: then no heading can be linked. */
export function useLinkingRules(isWanted: boolean) {
  return useQuery({
    queryKey: ["linking-rules"],
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isWanted,
    queryFn: () => ask<LinkingRule[]>("/linking-rules/instance-authority"),
  });
}

const ID_TYPES: Record<Format, string> = { BIBLIOGRAPHIC: "INSTANCE", HOLDINGS: "HOLDINGS", AUTHORITY: "AUTHORITY" };

interface SourceRecord {
  parsedRecord?: { content?: MarcJson | string };
  metadata?: { updatedDate?: string };
}

/** The record as it is stored. */
export async function readPlain(format: Format, id: string): Promise<{ marc: MarcJson; updated: string | undefined }> {
  const { parsedRecord, metadata } = await ask<SourceRecord>(`/source-storage/records/${id}/formatted`, {
    query: { idType: ID_TYPES[format] },
  });
  const content = parsedRecord?.content;
  const marc = typeof content === "string" ? (JSON.parse(content) as MarcJson) : content;
  return { marc: marc ?? { leader: "", fields: [] }, updated: metadata?.updatedDate };
}
