/** The form of a new import: choose or drop files, choose a job profile, send. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { JobProfile } from "../api/import-profiles.ts";
import { beginTrial, createUpload, deleteUpload, loadUpload, startJobs, uploadFile } from "../api/imports.ts";
import { Button } from "../parts/button.tsx";
import { clearUnsavedForm } from "../parts/guarded-location.ts";
import { ErrorMessage } from "../parts/states.tsx";
import { UnsavedChangesPrompt } from "../parts/unsaved.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { ProfileFinder } from "./profile-finder.tsx";
import { MAY_READ_LOGS, MAY_TRY } from "./rights.ts";
import { useImportWords } from "./words/index.tsx";

interface ChosenFile {
  key: string;
  file: File;
}

interface UploadProgress {
  name: string;
  bytes: number;
  totalBytes: number;
}

let lastKey = 0;
const withKeys = (files: Iterable<File>): ChosenFile[] =>
  [...files].map((file) => ({ key: `file-${++lastKey}`, file }));

export function NewImport() {
  const own = useImportWords();
  const words = own.start;
  const client = useQueryClient();
  const may = useMay();
  const [, navigate] = useLocation();
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [profile, setProfile] = useState<JobProfile>();
  const [sending, setSending] = useState<UploadProgress>();
  const [missing, setMissing] = useState<string>();
  const starting = useMutation({
    mutationFn: async (isTrial: boolean) => sendFiles(files, profile as JobProfile, isTrial, setSending),
    onSuccess: async (jobs, isTrial) => {
      announce(isTrial ? words.trialBegun(files.length) : words.begun(files.length));
      setFiles([]);
      clearUnsavedForm();
      const [only, ...others] = jobs;
      if (only && others.length === 0 && may(MAY_READ_LOGS)) navigate(`/import/jobs/${only}`);
      await client.invalidateQueries({ queryKey: ["import-jobs"] });
    },
    onSettled: () => setSending(undefined),
  });
  const start = (isTrial: boolean) => {
    const lacks = files.length === 0 ? words.noFiles : profile === undefined ? words.noProfile : undefined;
    setMissing(lacks);
    if (lacks === undefined && !starting.isPending) starting.mutate(isTrial);
  };
  const add = (more: Iterable<File>) => {
    setMissing(undefined);
    starting.reset();
    // Read before the input is cleared, which empties its list of files.
    const chosen = withKeys(more);
    setFiles((now) => [...now, ...chosen]);
  };
  return (
    <section className="sheet import-start" aria-labelledby="import-start">
      <h2 id="import-start">{words.title}</h2>
      <div className="import-parts">
        <div className="import-files">
          <DropPlace onFiles={add} isDisabled={starting.isPending} />
          {files.length > 0 && (
            <ul className="rows" aria-label={words.files}>
              {files.map(({ key, file }) => (
                <li className="row short" key={key}>
                  <div className="what">
                    <bdi>{file.name}</bdi>
                    <small>{words.size(file.size)}</small>
                  </div>
                  <div className="actions">
                    <Button
                      kind="quiet"
                      aria-label={words.remove(file.name)}
                      isDisabled={starting.isPending}
                      onPress={() => setFiles((now) => now.filter((one) => one.key !== key))}
                    >
                      <span className="cross" aria-hidden="true" />
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </div>
        <ProfileFinder<JobProfile>
          kind="jobProfiles"
          label={words.profile}
          help={words.profileHelp}
          value={profile?.id}
          onChange={(chosen) => {
            setMissing(undefined);
            setProfile(chosen);
          }}
        />
      </div>
      {sending && <UploadStatus sending={sending} />}
      {missing && (
        <p className="banner bad" role="alert">
          {missing}
        </p>
      )}
      {starting.error && <ErrorMessage error={starting.error} />}
      <div className="buttons">
        <p className="chosen-profile">{profile?.name}</p>
        {may(...MAY_TRY) && (
          <Button onPress={() => start(true)} isDisabled={starting.isPending}>
            {words.tryFirst}
          </Button>
        )}
        <Button kind="primary" onPress={() => start(false)} isDisabled={starting.isPending}>
          {words.submit}
        </Button>
      </div>
      <UnsavedChangesPrompt isUnsaved={starting.isPending} />
    </section>
  );
}

function UploadStatus({ sending: { name, bytes, totalBytes } }: { sending: UploadProgress }) {
  const words = useImportWords().start;
  const id = useId();
  return (
    <div className="import-sent">
      <p id={id}>{words.sending(name, words.size(Math.min(bytes, totalBytes)), words.size(totalBytes))}</p>
      <progress value={Math.min(bytes, totalBytes)} max={Math.max(1, totalBytes)} aria-labelledby={id} />
      <p className="help">{words.keepOpen}</p>
    </div>
  );
}

function DropPlace({ onFiles, isDisabled }: { onFiles: (files: Iterable<File>) => void; isDisabled: boolean }) {
  const words = useImportWords().start;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(!isDisabled);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!isDisabled) onFiles(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button within it does the same for the keyboard
    <div
      className={isOver ? "drop over" : "drop"}
      onDragOver={over}
      onDragEnter={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>{words.drop}</p>
      <Button onPress={() => input.current?.click()} isDisabled={isDisabled}>
        {words.choose}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles(event.target.files ?? []);
          // Cleared, so that a removed file can be chosen again.
          event.target.value = "";
        }}
      />
      <p className="help">{words.dropHelp}</p>
    </div>
  );
}

/** Sends the files and starts their jobs; returns the ids of the jobs. On an error, the sent files are withdrawn. */
async function sendFiles(
  files: readonly ChosenFile[],
  { id = "", name, dataType }: JobProfile,
  isTrial: boolean,
  told: (sending: UploadProgress) => void,
): Promise<string[]> {
  const defined = await createUpload(files);
  try {
    for (const { key, file } of files) {
      const place = defined.fileDefinitions.find(({ uiKey }) => uiKey === key);
      const { id: fileId = "" } = place ?? {};
      const at = (bytes: number) => told({ name: file.name, bytes, totalBytes: file.size });
      at(0);
      await uploadFile(defined.id, fileId, file, at);
    }
    const sent = await loadUpload(defined.id);
    const jobs = sent.fileDefinitions.flatMap(({ jobExecutionId = [] }) => jobExecutionId);
    if (isTrial) for (const job of jobs) await beginTrial(job);
    await startJobs(sent, { id, name, dataType });
    return jobs;
  } catch (error) {
    await deleteUpload(defined.id).catch(() => {});
    throw error;
  }
}
