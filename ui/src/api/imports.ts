/**
 * Imports of MARC files: uploaded files, import jobs, and what happened to each record. The types have the members that
 * the desk uses.
 */

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
  /** A trial run: the job stores nothing. */
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

/** A title, authority, order line or the like, of which each imported record makes at most one. */
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
  /** The bytes of the record that were left out when it was read. */
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

/** The query string of an address; a list gives one parameter for each of its values. */
export function toQueryString(
  wanted: Record<string, string | number | boolean | readonly string[] | undefined>,
): string {
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

export const loadJobs = (query: string, signal?: AbortSignal) =>
  ask<Jobs>(`/metadata-provider/jobExecutions?${query}`, signal ? { signal } : {});

export const loadJob = (id: string) => ask<Job>(`/change-manager/jobExecutions/${id}`);

export const loadSummary = (id: string) => ask<Summary>(`/metadata-provider/jobSummary/${id}`);

export const cancelJob = (id: string) => ask(`/data-import/jobExecutions/${id}/cancel`, { method: "DELETE" });

export const loadLogEntries = (id: string, query: string, signal: AbortSignal) =>
  ask<{ entries: LogEntry[]; totalRecords: number }>(`/metadata-provider/jobLogEntries/${id}?${query}`, { signal });

export const loadIncomingRecord = (id: string) => ask<IncomingRecord>(`/metadata-provider/incomingRecords/${id}`);

/** The users who have run import jobs, for the filter of the list of jobs. */
export const loadJobUsers = async () => {
  const { jobExecutionUsersInfo } = await ask<{
    jobExecutionUsersInfo: { userId: string; jobUserFirstName?: string; jobUserLastName?: string }[];
  }>("/metadata-provider/jobExecutions/users?limit=1000");
  return jobExecutionUsersInfo.map(({ userId, jobUserFirstName = "", jobUserLastName = "" }) => ({
    id: userId,
    name: `${jobUserFirstName} ${jobUserLastName}`.trim() || userId,
  }));
};

export const loadJobProfiles = async () => {
  const { jobProfilesInfo } = await ask<{ jobProfilesInfo: ProfileInfo[] }>(
    "/metadata-provider/jobExecutions/jobProfiles?limit=1000",
  );
  return jobProfilesInfo.map(({ id, name = id }) => ({ id, name }));
};

/** Turns a job that has not started into a trial run. */
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

const loadChangesPage = (job: string, query: string, signal: AbortSignal) =>
  ask<Changes>(`/octavo/import-jobs/${job}/changes?${query}`, { signal });

const CHANGES_PER_PAGE = 1_000;
/** At most so many changes are loaded for one page of the job's log. */
const MAX_CHANGES = 10_000;

/** Loads all changes that records of the file, given by their numbers from 0, would make. */
export async function loadChanges(
  job: string,
  records: readonly string[],
  signal: AbortSignal,
): Promise<ImportChange[]> {
  const found: ImportChange[] = [];
  for (;;) {
    const query = toQueryString({ records: records.join(","), limit: CHANGES_PER_PAGE, offset: found.length });
    const { changes, totalRecords } = await loadChangesPage(job, query, signal);
    found.push(...changes);
    if (changes.length === 0 || found.length >= Math.min(totalRecords, MAX_CHANGES)) return found;
  }
}

/** Whether the file of a trial run can still be imported. */
export const canImportTrial = async (trial: string, signal: AbortSignal) =>
  (await loadChangesPage(trial, "limit=0", signal)).canBeImported;

export const importTrialFile = (trial: string) =>
  ask<{ id: string }>(`/octavo/import-jobs/${trial}/import`, { method: "POST", body: {} });

/** A record of the imported file that was not undone, by its number in the file from 0. */
export interface NotUndoneRecord {
  recordOrder: number;
  reason: string;
}

export interface UndoState {
  status: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
  completedDate?: string;
  undoneRecords: number;
  notUndoneRecords: number;
  notUndone: NotUndoneRecord[];
}

export interface UndoPreview {
  records: number;
  notUndone: NotUndoneRecord[];
  entities: { entityType: string; removed: number; restored: number }[];
  /** The position at which the next page begins; missing on the last page. */
  next?: number;
}

export const loadUndoState = (job: string) => ask<UndoState>(`/octavo/import-jobs/${job}/undo?limit=1000`);

export const beginUndo = (job: string) => ask(`/octavo/import-jobs/${job}/undo`, { method: "POST", body: {} });

export const loadUndoPreview = (job: string, before: number | undefined, signal: AbortSignal) =>
  ask<UndoPreview>(`/octavo/import-jobs/${job}/undo-preview?${toQueryString({ limit: 500, before })}`, { signal });

/** FOLIO counts the size of a file in kilobytes. */
export const createUpload = (files: readonly { key: string; file: File }[]) =>
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

export const uploadFile = (definition: string, file: string, bytes: Blob, sent: (bytes: number) => void) =>
  ask<UploadDefinition>(`/data-import/uploadDefinitions/${definition}/files/${file}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: bytes,
    onProgress: sent,
  });

export const loadUpload = (id: string) => ask<UploadDefinition>(`/data-import/uploadDefinitions/${id}`);

export const deleteUpload = (id: string) => ask(`/data-import/uploadDefinitions/${id}`, { method: "DELETE" });

export const startJobs = (uploadDefinition: UploadDefinition, jobProfileInfo: ProfileInfo) =>
  ask(`/data-import/uploadDefinitions/${uploadDefinition.id}/processFiles`, {
    method: "POST",
    body: { uploadDefinition, jobProfileInfo },
  });
