/** The form of an action profile: the action, the type of record, and the mapping profile. */

import { useState } from "react";
import { Link } from "wouter";
import type { ActionProfile, MappingProfile, RecordType, Relation } from "../../api/import-profiles.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { ProfileFinder } from "../profile-finder.tsx";
import { ProfileForm } from "./form.tsx";
import { pathOf } from "./kinds.ts";
import { findMapping } from "./tree.ts";
import { useProfileWords } from "./words/index.tsx";

/** The record types that each action is possible for. */
export const RECORD_TYPES_BY_ACTION: Record<string, readonly RecordType[]> = {
  CREATE: ["INSTANCE", "HOLDINGS", "ITEM", "AUTHORITY", "ORDER", "INVOICE"],
  UPDATE: ["INSTANCE", "HOLDINGS", "ITEM", "MARC_BIBLIOGRAPHIC", "MARC_HOLDINGS", "MARC_AUTHORITY"],
  MODIFY: ["MARC_BIBLIOGRAPHIC", "MARC_HOLDINGS", "MARC_AUTHORITY"],
  DELETE: ["MARC_AUTHORITY"],
};

/** Deleting needs no mapping profile. */
const needsMapping = ({ action }: ActionProfile) => action !== "DELETE";
const cannotRun = ({ folioRecord }: ActionProfile) => folioRecord === "ORDER" || folioRecord === "INVOICE";

export function ActionForm({ stored }: { stored: ActionProfile }) {
  const words = useProfileWords();
  const [draft, setDraft] = useState(stored);
  const [isChanged, setChanged] = useState(false);
  const before = findMapping(stored.childProfiles);
  const [mapping, setMapping] = useState(before);
  const change = (part: Partial<ActionProfile>) => {
    setChanged(true);
    setDraft((now) => ({ ...now, ...part }));
  };
  const records = RECORD_TYPES_BY_ACTION[draft.action] ?? [];
  const shown = records.includes(draft.folioRecord) ? records : [...records, draft.folioRecord];
  const to = (id: string): Relation => ({
    masterProfileType: "ACTION_PROFILE",
    ...(stored.id !== undefined && { masterProfileId: stored.id }),
    detailProfileType: "MAPPING_PROFILE",
    detailProfileId: id,
    order: 0,
  });
  const isSame = stored.id !== undefined && mapping?.id === before?.id;
  return (
    <ProfileForm
      slug="actions"
      stored={stored}
      draft={draft}
      change={change}
      isChanged={isChanged}
      check={(): Record<string, string> =>
        needsMapping(draft) && mapping === undefined ? { mapping: words.action.needsMapping } : {}
      }
      profileToSave={() => ({
        profile: draft,
        added: mapping && !isSame ? [to(mapping.id)] : [],
        deleted: before && !isSame && stored.id !== undefined ? [to(before.id)] : [],
      })}
    >
      {(errorAt) => (
        <section className="sheet" aria-label={words.action.action}>
          <div className="fields">
            <Choice
              label={words.action.action}
              options={Object.entries(words.action.actions).map(([id, name]) => ({ id, name }))}
              value={draft.action}
              onChange={(action) => {
                const fits = RECORD_TYPES_BY_ACTION[action] ?? [];
                const folioRecord = fits.includes(draft.folioRecord) ? draft.folioRecord : (fits[0] ?? "INSTANCE");
                if (folioRecord !== draft.folioRecord) setMapping(undefined);
                change({ action, folioRecord });
              }}
              error={errorAt("action")}
            />
            <Choice
              label={words.action.record}
              options={shown.map((id) => ({ id, name: words.recordTypes[id] ?? id }))}
              value={draft.folioRecord}
              onChange={(folioRecord) => {
                if (folioRecord !== draft.folioRecord) setMapping(undefined);
                change({ folioRecord });
              }}
              help={cannotRun(draft) ? words.notRun : undefined}
              error={errorAt("folioRecord")}
            />
          </div>
          <div className="picked">
            <h3>{words.action.mapping}</h3>
            <p>
              {mapping ? (
                <Link href={pathOf("MAPPING_PROFILE", mapping.id)}>
                  <bdi>{mapping.name}</bdi>
                </Link>
              ) : (
                words.action.noMapping
              )}
            </p>
            {errorAt("mapping") && (
              <p className="error" data-mistake tabIndex={-1}>
                {errorAt("mapping")}
              </p>
            )}
            <DialogOpener>
              <Button>{words.action.pick}</Button>
              <Dialog title={words.action.pickTitle}>
                {(close) => (
                  <ProfileFinder<MappingProfile>
                    kind="mappingProfiles"
                    label={words.kinds.mappings.find}
                    help={words.action.mappingHelp}
                    value={mapping?.id}
                    fits={({ existingRecordType }) => existingRecordType === draft.folioRecord}
                    onChange={({ id = "", name }) => {
                      setMapping({ id, name });
                      change({});
                      close();
                    }}
                    autoFocus
                  />
                )}
              </Dialog>
            </DialogOpener>
          </div>
        </section>
      )}
    </ProfileForm>
  );
}
