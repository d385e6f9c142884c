/** The calls of the MARC editor. */

import { useQuery } from "@tanstack/react-query";
import { ask, Refused } from "../api/http.ts";
import type { Specification } from "./fixed.ts";
import type { MarcJson } from "./lines.ts";
import type { LinkingRule } from "./linking.ts";
import { type Draft, type Format, fieldsFromRows, type QuickMarc } from "./record.ts";

const RECORDS = "/records-editor/records";

/** A MARC record with the version of the record in the catalogue; an update must send this version. */
export interface StoredMarc {
  record: QuickMarc;
  version: string;
}

const RECORD_PATHS: Record<Format, string> = {
  BIBLIOGRAPHIC: "/inventory/instances",
  HOLDINGS: "/holdings-storage/holdings",
  AUTHORITY: "/authority-storage/authorities",
};

export async function readMarc(externalId: string): Promise<StoredMarc> {
  const record = await ask<QuickMarc>(RECORDS, { query: { externalId } });
  const described = await ask<{ _version?: number | string }>(`${RECORD_PATHS[record.marcFormat]}/${externalId}`);
  return { record, version: String(described._version ?? "") };
}

export async function replaceMarc(draft: Draft, { record, version }: StoredMarc): Promise<void> {
  const { parsedRecordId, parsedRecordDtoId, externalId, externalHrid = "" } = record;
  const body = {
    ...requestBody(draft),
    parsedRecordId,
    parsedRecordDtoId,
    externalId,
    externalHrid,
    relatedRecordVersion: version,
  };
  await ask(`${RECORDS}/${parsedRecordId}`, { method: "PUT", body });
}

const requestBody = ({ format, leader, rows, suppressDiscovery }: Draft) => ({
  leader,
  fields: fieldsFromRows(rows),
  marcFormat: format,
  suppressDiscovery,
});

interface CreationStatus {
  qmRecordId: string;
  externalId?: string;
  status: "NEW" | "IN_PROGRESS" | "CREATED" | "ERROR";
  errorMessage?: string;
}

const POLL_MS = 500;
/** The status is asked for at most so often, about 30 seconds; the record may still be created after that. */
const MAX_POLLS = 60;

export class NotCreatedYet extends Error {}

/** Creates a record. Answers the id of the new title, holdings or authority. */
export async function createMarc(draft: Draft): Promise<string> {
  let state = await ask<CreationStatus>(RECORDS, { method: "POST", body: requestBody(draft) });
  for (let asked = 0; asked < MAX_POLLS; asked += 1) {
    if (state.status === "ERROR") throw new Refused(422, [{ message: state.errorMessage ?? "" }]);
    if (state.status === "CREATED" && state.externalId) return state.externalId;
    await new Promise((go) => setTimeout(go, POLL_MS));
    state = await ask<CreationStatus>(`${RECORDS}/status`, { query: { qmRecordId: state.qmRecordId } });
  }
  throw new NotCreatedYet();
}

/** Reads a record when its last update has been applied: updates may wait in a queue (state IN_PROGRESS). */
export async function readWhenUpdated(externalId: string): Promise<StoredMarc> {
  for (let asked = 0; ; asked += 1) {
    const stored = await readMarc(externalId);
    const { recordState } = stored.record.updateInfo ?? {};
    if (recordState !== "IN_PROGRESS" || asked >= MAX_POLLS) return stored;
    await new Promise((go) => setTimeout(go, POLL_MS));
  }
}

/** The fields with the links that the server finds by the natural ids in `$0`. */
export const suggestLinks = (draft: Draft) =>
  ask<QuickMarc>("/records-editor/links/suggestion", { method: "POST", body: requestBody(draft) });

/** null if the server has no specification of field 008: positions are then shown as they come. */
async function loadSpecification(format: Format): Promise<Specification | null> {
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
    queryFn: () => loadSpecification(format),
  });
}

/** The linking rules. Without the permission to read them, no heading can be linked. */
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

/** The MARC record as it is stored, from source record storage. */
export async function readStoredMarc(
  format: Format,
  id: string,
): Promise<{ marc: MarcJson; updated: string | undefined }> {
  const { parsedRecord, metadata } = await ask<SourceRecord>(`/source-storage/records/${id}/formatted`, {
    query: { idType: ID_TYPES[format] },
  });
  const content = parsedRecord?.content;
  const marc = typeof content === "string" ? (JSON.parse(content) as MarcJson) : content;
  return { marc: marc ?? { leader: "", fields: [] }, updated: metadata?.updatedDate };
}
