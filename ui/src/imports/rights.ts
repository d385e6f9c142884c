/** Permissions for the parts of the import pages. */

/** To see which jobs there are. */
export const MAY_SEE = ["metadata-provider.jobexecutions.get"] as const;

/** To send files and have them imported, by a job profile that one chooses. */
export const MAY_START = [
  "data-import.uploaddefinitions.post",
  "data-import.uploaddefinitions.get",
  "data-import.upload.file.post",
  "data-import.uploaddefinitions.files.post",
  "converter-storage.jobprofile.get",
] as const;

/** To see what a file would do before it is imported, and then to import it. */
export const MAY_TRY = ["octavo.import-jobs.trial.post", "octavo.import-jobs.changes.get"] as const;
export const MAY_IMPORT_TRIED = "octavo.import-jobs.import.post";
export const MAY_SEE_CHANGES = "octavo.import-jobs.changes.get";
export const MAY_SEE_UNDO = "octavo.import-jobs.undo.get";
export const MAY_UNDO = "octavo.import-jobs.undo.post";

export const MAY_CANCEL = "data-import.jobexecution.cancel";
export const MAY_READ_LOGS = "metadata-provider.logs.get";
export const MAY_READ_JOB = "change-manager.jobexecutions.get";
export const MAY_READ_RECORDS = "metadata-provider.incomingrecords.get";
