/** Imports of MARC files: files that are sent, jobs, and what became of each record. The types hold what the desk reads. */

import { ask } from "./http.ts";

export interface FileDefinition {
  id: string;
  name: string;
  uiKey?: string;
  jobExecutionId?: string;
}

export interface UploadDefinition {
  id: string;
  fileDefinitions: FileDefinition[];
}

export interface ProfileInfo {
  id: string;
  name?: string;
  dataType?: string;
}

export interface Job {
  id: string;
  hrId?: number;
  fileName?: string;
  status: string;
  jobProfileInfo?: ProfileInfo;
  runBy?: { firstName?: string; lastName?: string };
  progress?: { current?: number; total?: number };
  startedDate?: string;
  completedDate?: string;
  /** It keeps nothing of what it does. */
  isTrial?: boolean;
  jobPartNumber?: number;
  totalJobParts?: number;
}

export interface Counts {
  totalCreatedEntities?: number;
  totalUpdatedEntities?: number;
  totalDiscardedEntities?: number;
  totalErrors?: number;
}

export interface Summary {
  totalErrors?: number;
  sourceRecordSummary?: Counts;
  instanceSummary?: Counts;
  holdingSummary?: Counts;
  itemSummary?: Counts;
  authoritySummary?: Counts;
  orderSummary?: Counts;
  invoiceSummary?: Counts;
}

export type ActionStatus = "CREATED" | "UPDATED" | "MULTIPLE" | "DISCARDED";

/** An entity of which a record has one at most. */
export interface RelatedInfo {
  actionStatus?: ActionStatus;
  idList?: string[];
  hridList?: string[];
  error?: string;
}

export interface LogEntry {
  incomingRecordId?: string;
  sourceRecordId?: string;
  sourceRecordOrder: string;
  sourceRecordTitle?: string;
  sourceRecordType?: string;
  sourceRecordActionStatus?: ActionStatus;
  error?: string;
  /** What of its bytes was left out when it was read. */
  remark?: string;
  relatedInstanceInfo?: RelatedInfo;
  relatedHoldingsInfo?: { actionStatus?: ActionStatus; id?: string; hrid?: string; error?: string }[];
  relatedItemInfo?: { actionStatus?: ActionStatus; id?: string; hrid?: string; holdingsId?: string; error?: string }[];
  relatedAuthorityInfo?: RelatedInfo;
  relatedPoLineInfo?: RelatedInfo;
  relatedInvoiceInfo?: RelatedInfo;
}

export interface IncomingRecord {
  id: string;
  recordType?: string;
  order?: number;
  rawRecordContent?: string;
  /** MARC-in-JSON, as text or not. */
  parsedRecordContent?: unknown;
}

/** Parameters of an address; a list gives one for each of its values. */
export function parameters(wanted: Record<string, string | number | boolean | readonly string[] | undefined>): string {
  const found = new URLSearchParams();
  for (const [name, values] of Object.entries(wanted)) {
    for (const value of [values ?? []].flat()) if (value !== "") found.append(name, String(value));
  }
  return found.toString();
}

export interface Jobs {
  jobExecutions: Job[];
  totalRecords: number;
}

export const jobs = (query: string, signal?: AbortSignal) =>
  ask<Jobs>(`/metadata-provider/jobExecutions?${query}`, signal ? { signal } : {});

export const job = (id: string) => ask<Job>(`/change-manager/jobExecutions/${id}`);

export const summary = (id: string) => ask<Summary>(`/metadata-provider/jobSummary/${id}`);

export const cancel = (id: string) => ask(`/data-import/jobExecutions/${id}/cancel`, { method: "DELETE" });

export const log = (id: string, query: string, signal: AbortSignal) =>
  ask<{ entries: LogEntry[]; totalRecords: number }>(`/metadata-provider/jobLogEntries/${id}?${query}`, { signal });

export const incoming = (id: string) => ask<IncomingRecord>(`/metadata-provider/incomingRecords/${id}`);

/** Whose jobs have ended, and by which profiles they ran. */
export const usersOfJobs = async () => {
  const { jobExecutionUsersInfo } = await ask<{
    jobExecutionUsersInfo: { userId: string; jobUserFirstName?: string; jobUserLastName?: string }[];
  }>("/metadata-provider/jobExecutions/users?limit=1000");
  return jobExecutionUsersInfo.map(({ userId, jobUserFirstName = "", jobUserLastName = "" }) => ({
    id: userId,
    name: `${jobUserFirstName} ${jobUserLastName}`.trim() || userId,
  }));
};

export const profilesOfJobs = async () => {
  const { jobProfilesInfo } = await ask<{ jobProfilesInfo: ProfileInfo[] }>(
    "/metadata-provider/jobExecutions/jobProfiles?limit=1000",
  );
  return jobProfilesInfo.map(({ id, name = id }) => ({ id, name }));
};

/** Makes a job that has not begun a trial. */
export const beginTrial = (job: string) => ask(`/octavo/import-jobs/${job}/trial`, { method: "POST", body: {} });

export interface ImportChange {
  recordOrder: number;
  entityType: string;
  action: "CREATE" | "UPDATE" | "DELETE";
  record?: unknown;
  fields?: { field: string; before?: unknown; after?: unknown }[];
}

interface Changes {
  isTrial: boolean;
  canBeImported: boolean;
  changes: ImportChange[];
  totalRecords: number;
}

const changesPage = (job: string, query: string, signal: AbortSignal) =>
  ask<Changes>(`/octavo/import-jobs/${job}/changes?${query}`, { signal });

const CHANGES_PAGE = 1_000;
/** No more is shown of one page of the log. */
const MOST_CHANGES = 10_000;

/** All that records of the file, by their numbers from 0, would change. */
export async function changesOf(job: string, records: readonly string[], signal: AbortSignal): Promise<ImportChange[]> {
  const found: ImportChange[] = [];
  for (;;) {
    const query = parameters({ records: records.join(","), limit: CHANGES_PAGE, offset: found.length });
    const { changes, totalRecords } = await changesPage(job, query, signal);
    found.push(...changes);
    if (changes.length === 0 || found.length >= Math.min(totalRecords, MOST_CHANGES)) return found;
  }
}

/** Whether the file of a trial waits to be imported. */
export const canBeImported = async (trial: string, signal: AbortSignal) =>
  (await changesPage(trial, "limit=0", signal)).canBeImported;

export const importTried = (trial: string) =>
  ask<{ id: string }>(`/octavo/import-jobs/${trial}/import`, { method: "POST", body: {} });

/** A record of the file that stays, by its number from 0. */
export interface Kept {
  recordOrder: number;
  reason: string;
}

export interface UndoState {
  status: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
  completedDate?: string;
  undoneRecords: number;
  notUndoneRecords: number;
  notUndone: Kept[];
}

export interface UndoPreview {
  records: number;
  notUndone: Kept[];
  entities: { entityType: string; removed: number; restored: number }[];
  /** Where the next page goes on; there is none at the end. */
  next?: number;
}

export const undoState = (job: string) => ask<UndoState>(`/octavo/import-jobs/${job}/undo?limit=1000`);

export const beginUndo = (job: string) => ask(`/octavo/import-jobs/${job}/undo`, { method: "POST", body: {} });

export const undoPreview = (job: string, before: number | undefined, signal: AbortSignal) =>
  ask<UndoPreview>(`/octavo/import-jobs/${job}/undo-preview?${parameters({ limit: 500, before })}`, { signal });

/** FOLIO counts the size of a file in kilobytes. */
export const define = (files: readonly { key: string; file: File }[]) =>
  ask<UploadDefinition>("/data-import/uploadDefinitions", {
    method: "POST",
    body: {
      fileDefinitions: files.map(({ key, file }) => ({
        uiKey: key,
        name: file.name,
        size: Math.ceil(file.size / 1024),
      })),
    },
  });

export const upload = (definition: string, file: string, bytes: Blob, sent: (bytes: number) => void) =>
  ask<UploadDefinition>(`/data-import/uploadDefinitions/${definition}/files/${file}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: bytes,
    sent,
  });

export const definition = (id: string) => ask<UploadDefinition>(`/data-import/uploadDefinitions/${id}`);

export const withdraw = (id: string) => ask(`/data-import/uploadDefinitions/${id}`, { method: "DELETE" });

export const run = (uploadDefinition: UploadDefinition, jobProfileInfo: ProfileInfo) =>
  ask(`/data-import/uploadDefinitions/${uploadDefinition.id}/processFiles`, {
    method: "POST",
    body: { uploadDefinition, jobProfileInfo },
  });
