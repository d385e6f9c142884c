/** The form of a settings record: shows, saves and deletes it. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components/Form";
import { useLocation } from "wouter";
import { createRefusal, type Refusal, Refused } from "../api/http.ts";
import { deleteRecord, findReferringTable, loadSingleRecord, recordsQuery, storeRecord } from "../api/settings.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { clearUnsavedForm } from "../parts/guarded-location.ts";
import { DialogOpener } from "../parts/opens.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { UnsavedChangesPrompt } from "../parts/unsaved.tsx";
import { refusalTexts } from "../refusals/texts.ts";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { Control } from "./controls.tsx";
import { hasChanges, recordToSend, visibleSpecs } from "./draft.ts";
import { type Kind, rightsTo, type SettingRecord, titleOf } from "./kind.ts";
import { NO_PROBLEMS, type Problems, problemsOf, withRefusalTexts } from "./problems.ts";
import { useOptions } from "./sources.ts";
import { useRuleLines } from "./uses.ts";
import { useSettingsWords } from "./words/index.tsx";

interface Props {
  kind: Kind;
  stored: SettingRecord;
  /** Not stored yet. */
  isNew: boolean;
  /** Content beside the form, such as a preview, drawn from the current draft. */
  beside?: (draft: SettingRecord, onChange: (draft: SettingRecord) => void) => ReactNode;
}

export function RecordForm({ kind, stored, isNew, beside }: Props) {
  const words = useSettingsWords();
  const common = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState<SettingRecord>(() => kind.read?.(stored) ?? stored);
  /** The draft as it was opened or saved last. */
  const [base, setBase] = useState(draft);
  const [saved, setSaved] = useState(false);
  const sections = kind.sections(words, draft);
  const specs = sections.flatMap(({ fields }) => fields);
  const options = useOptions(specs, kind.extraSources);
  const own = kind.may?.(stored) ?? true;
  const allowed = own && may(isNew ? rightsTo.make(kind) : rightsTo.change(kind));
  const form = useRef<HTMLFormElement>(null);
  const saving = useMutation({
    mutationFn: async (draft: SettingRecord) => {
      const record = recordToSend(draft, specs);
      const refusal = await kind.checkBeforeSave?.(record, words);
      if (refusal) throw createRefusal(422, refusal);
      if (!kind.isSingle) return storeRecord(kind, kind.write?.(record, options) ?? record, isNew);
      // Somebody else may have created the single record since this form was opened.
      const known = await loadSingleRecord(kind);
      const one = { ...record, ...(known && { id: known.id }) } as SettingRecord;
      return storeRecord(kind, kind.write?.(one, options, known) ?? one, known === undefined);
    },
    onSuccess: async (answer, sent) => {
      // Read again: it has an id now, and secrets are hidden.
      const one = kind.isSingle ? await loadSingleRecord(kind) : undefined;
      const readAgain = one && (kind.read?.(one) ?? one);
      if (readAgain) setDraft(readAgain);
      setBase(readAgain ?? sent);
      // Some modules answer an update with an empty body.
      const id = answer.id ?? stored.id;
      announce(words.saved);
      setSaved(true);
      await Promise.all([client.invalidateQueries(), kind.afterSave?.(client)]);
      if (isNew && id && !kind.isSingle) {
        clearUnsavedForm();
        navigate(`/settings/${kind.slug}/${id}`, { replace: true });
      }
    },
  });
  const change = (changed: SettingRecord) => {
    setSaved(false);
    // Clears the problems after a change: a field marked as invalid would keep the form from being sent.
    saving.reset();
    setDraft(changed);
  };
  const said = (refusal: Refusal) => refusalTexts([refusal], common).join(" ");
  const problems: Problems = saving.error ? problemsOf(saving.error, kind, specs, draft, words, said) : NO_PROBLEMS;
  const placed = problems.fields.size + problems.rest.length > 0;
  // In the form of a new record, the focus goes to the first field.
  useEffect(() => {
    if (isNew && !kind.isSingle) form.current?.querySelector<HTMLElement>("input, textarea")?.focus();
  }, [isNew, kind]);
  // Ctrl+Enter saves from every field, also from text areas.
  useEffect(() => {
    const node = form.current;
    const saves = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      if (allowed && !saving.isPending) node?.requestSubmit();
    };
    node?.addEventListener("keydown", saves, true);
    return () => node?.removeEventListener("keydown", saves, true);
  }, [allowed, saving.isPending]);
  // Moves the focus to the first problem.
  useEffect(() => {
    if (saving.error) form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid] button")?.focus();
  }, [saving.error]);
  return (
    <div className={beside ? "with-beside" : ""}>
      <Form
        className="form settings-form"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(draft);
        }}
      >
        {!allowed && (
          <p className="banner">{own ? words.readOnly : kind.standard ? words.standardOwn : words.serverOwn}</p>
        )}
        <fieldset className="whole" disabled={!allowed}>
          {sections.map(({ title, help, fields }, index) => {
            const shown = visibleSpecs(fields, draft);
            if (shown.length === 0) return null;
            return (
              <section className="sheet" key={title ?? index} aria-label={title ?? words.kinds[kind.name].one}>
                {title && <h2>{title}</h2>}
                {help && <p className="help">{help}</p>}
                <div className="fields">
                  {shown.map((spec) => (
                    <Control
                      key={`${spec.at} ${spec.is}`}
                      spec={spec}
                      record={draft}
                      options={options}
                      error={problems.fields.get(spec.at)}
                      onChange={change}
                    />
                  ))}
                </div>
              </section>
            );
          })}
        </fieldset>
        {problems.rest.length > 0 && (
          <div className="banner bad" role="alert">
            {problems.rest.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
          </div>
        )}
        {saving.error && !placed && <ErrorMessage error={saving.error} />}
        {problems.fields.size > 0 && (
          <p className="unseen" role="alert">
            {[...problems.fields.values()].join(" ")}
          </p>
        )}
        <div className="session-end">
          <p role="status">{saved ? words.saved : ""}</p>
          {!isNew && own && !kind.hasFixedRecords && may(rightsTo.remove(kind)) && (
            <DeleteButton kind={kind} record={stored} />
          )}
          {allowed && (
            <Button kind="primary" type="submit" isDisabled={saving.isPending}>
              {common.save}
            </Button>
          )}
        </div>
      </Form>
      {beside?.(draft, change)}
      <UnsavedChangesPrompt isUnsaved={allowed && hasChanges(draft, base, specs)} />
    </div>
  );
}

/** A policy that the circulation rules refer to cannot be deleted. The server does not check this, so the form does. */
function DeleteButton({ kind, record }: { kind: Kind; record: SettingRecord }) {
  const words = useSettingsWords();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const all = useRuleLines();
  const id = record.id ?? "";
  const lines = kind.letter ? all?.get(id) : [];
  const others = useQuery({ ...recordsQuery(kind.requiredBy?.by ?? kind), enabled: kind.requiredBy !== undefined });
  if (kind.requiredBy && !others.data) return null;
  if (others.data?.some((other) => kind.requiredBy?.where(other, id))) {
    return <p className="help">{kind.requiredBy?.says(words)}</p>;
  }
  if (kind.letter && all === undefined) return <p className="help">{words.rulesUnseen}</p>;
  if (lines?.length) return <p className="help">{words.keptByRules}</p>;
  return (
    <DialogOpener>
      <Button kind="danger">{words.remove}</Button>
      <FormDialog
        title={words.removeTitle(titleOf(kind, record))}
        submit={words.remove}
        danger
        onSubmit={async () => {
          const users = await findReferringTable(kind, id).catch((error) => {
            const unseen = error instanceof Refused && error.status === 403;
            throw unseen ? createRefusal(400, words.usesUnseen) : error;
          });
          if (users !== undefined) throw createRefusal(400, words.problems.inUse(users));
          await deleteRecord(kind, id).catch((error) => {
            throw withRefusalTexts(error, words);
          });
          announce(words.removed);
          clearUnsavedForm();
          navigate(`/settings/${kind.slug}`);
          await client.invalidateQueries({ predicate: ({ queryKey }) => !queryKey.includes(id) });
        }}
      >
        {kind.deletionWarning?.(record)}
        <p>{words.removeHelp}</p>
      </FormDialog>
    </DialogOpener>
  );
}
