/** One record of settings, to be read, written and deleted. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components/Form";
import { useLocation } from "wouter";
import { type Refusal, Refused, refusing } from "../api/http.ts";
import { recordsOf, remove, store, theOne, usedBy } from "../api/settings.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { Trouble } from "../parts/states.tsx";
import { refusalTexts } from "../refusals/texts.ts";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { Control } from "./controls.tsx";
import { finished, showing } from "./draft.ts";
import { type Kind, rightsTo, type Stored, titleOf } from "./kind.ts";
import { NONE, type Problems, problemsOf, worded } from "./problems.ts";
import { useOptions } from "./sources.ts";
import { useLines } from "./uses.ts";
import { useSettingsWords } from "./words/index.tsx";

interface Props {
  kind: Kind;
  stored: Stored;
  /** Not stored yet. */
  isNew: boolean;
  /** What stands beside the form and follows what is written in it. */
  beside?: (draft: Stored, onChange: (draft: Stored) => void) => ReactNode;
}

export function RecordForm({ kind, stored, isNew, beside }: Props) {
  const words = useSettingsWords();
  const common = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState<Stored>(() => kind.read?.(stored) ?? stored);
  const [saved, setSaved] = useState(false);
  const sections = kind.sections(words, draft);
  const specs = sections.flatMap(({ fields }) => fields);
  const options = useOptions(specs, kind.also);
  const own = kind.may?.(stored) ?? true;
  const allowed = own && may(isNew ? rightsTo.make(kind) : rightsTo.change(kind));
  const form = useRef<HTMLFormElement>(null);
  const saving = useMutation({
    mutationFn: async () => {
      const record = finished(draft, specs);
      const refusal = await kind.refuses?.(record, words);
      if (refusal) throw refusing(422, refusal);
      if (!kind.single) return store(kind, kind.write?.(record, options) ?? record, isNew);
      // Somebody else may have made the one that there is since this form was opened.
      const known = await theOne(kind);
      const one = { ...record, ...(known && { id: known.id }) } as Stored;
      return store(kind, kind.write?.(one, options, known) ?? one, known === undefined);
    },
    onSuccess: async (answer) => {
      // As it is read from now on: with an id, and without what must not be seen.
      const one = kind.single ? await theOne(kind) : undefined;
      if (one) setDraft(kind.read?.(one) ?? one);
      // Some of the modules answer a change with nothing.
      const id = answer.id ?? stored.id;
      announce(words.saved);
      setSaved(true);
      await Promise.all([client.invalidateQueries(), kind.saved?.(client)]);
      if (isNew && id && !kind.single) navigate(`/settings/${kind.slug}/${id}`, { replace: true });
    },
  });
  const change = (changed: Stored) => {
    setSaved(false);
    // What was wrong may be right now: a field that stays marked would keep the form from being sent again.
    saving.reset();
    setDraft(changed);
  };
  const said = (refusal: Refusal) => refusalTexts([refusal], common).join(" ");
  const problems: Problems = saving.error ? problemsOf(saving.error, kind, specs, draft, words, said) : NONE;
  const placed = problems.fields.size + problems.rest.length > 0;
  // One comes to a new one to write it.
  useEffect(() => {
    if (isNew && !kind.single) form.current?.querySelector<HTMLElement>("input, textarea")?.focus();
  }, [isNew, kind]);
  // From wherever one writes, also where Enter begins a new line.
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
  // To what has to be mended.
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
          saving.mutate();
        }}
      >
        {!allowed && (
          <p className="banner">{own ? words.readOnly : kind.standard ? words.standardOwn : words.serverOwn}</p>
        )}
        <fieldset className="whole" disabled={!allowed}>
          {sections.map(({ title, help, fields }, index) => {
            const shown = showing(fields, draft);
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
        {saving.error && !placed && <Trouble error={saving.error} />}
        {problems.fields.size > 0 && (
          <p className="unseen" role="alert">
            {[...problems.fields.values()].join(" ")}
          </p>
        )}
        <div className="session-end">
          <p role="status">{saved ? words.saved : ""}</p>
          {!isNew && own && !kind.fixed && may(rightsTo.remove(kind)) && <Remove kind={kind} record={stored} />}
          {allowed && (
            <Button kind="primary" type="submit" isDisabled={saving.isPending}>
              {common.save}
            </Button>
          )}
        </div>
      </Form>
      {beside?.(draft, change)}
    </div>
  );
}

/** What the circulation rules name cannot go: they would name nothing. The server leaves that to whoever asks. */
function Remove({ kind, record }: { kind: Kind; record: Stored }) {
  const words = useSettingsWords();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const all = useLines();
  const id = record.id ?? "";
  const lines = kind.letter ? all?.get(id) : [];
  const others = useQuery({ ...recordsOf(kind.needed?.by ?? kind), enabled: kind.needed !== undefined });
  if (kind.needed && !others.data) return null;
  if (others.data?.some((other) => kind.needed?.where(other, id))) {
    return <p className="help">{kind.needed?.says(words)}</p>;
  }
  if (kind.letter && all === undefined) return <p className="help">{words.rulesUnseen}</p>;
  if (lines?.length) return <p className="help">{words.keptByRules}</p>;
  return (
    <Opens>
      <Button kind="danger">{words.remove}</Button>
      <FormDialog
        title={words.removeTitle(titleOf(kind, record))}
        submit={words.remove}
        danger
        onSubmit={async () => {
          const users = await usedBy(kind, id).catch((error) => {
            const unseen = error instanceof Refused && error.status === 403;
            throw unseen ? refusing(400, words.usesUnseen) : error;
          });
          if (users !== undefined) throw refusing(400, words.problems.inUse(users));
          await remove(kind, id).catch((error) => {
            throw worded(error, words);
          });
          announce(words.removed);
          navigate(`/settings/${kind.slug}`);
          await client.invalidateQueries({ predicate: ({ queryKey }) => !queryKey.includes(id) });
        }}
      >
        {kind.lost?.(record)}
        <p>{words.removeHelp}</p>
      </FormDialog>
    </Opens>
  );
}
