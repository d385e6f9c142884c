/** The form of a title, of holdings or of an item. Members that it does not show are sent back unchanged. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link, useLocation } from "wouter";
import { Refused } from "../../api/http.ts";
import { Button } from "../../parts/button.tsx";
import { useDraft } from "../../parts/draft.ts";
import { clearUnsavedForm } from "../../parts/guarded-location.ts";
import { NotSavedMessage } from "../../parts/not-saved.tsx";
import { UnsavedChangesPrompt } from "../../parts/unsaved.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useWords } from "../../words/index.tsx";
import { useRecordWords } from "../words/records.tsx";
import { RecordField } from "./control.tsx";
import { cleanRecord, hasChanges, hasValues } from "./finished.ts";
import { findProblem, type Problem } from "./problems.ts";
import type { FormSection, RecordJson } from "./spec.ts";

interface Props {
  sections: readonly FormSection[];
  stored: RecordJson;
  write: (record: RecordJson) => Promise<unknown>;
  /** Reads the record again, if others may change it meanwhile. */
  readAgain?: () => Promise<RecordJson>;
  /** The paths that Cancel and Save lead to. */
  cancelPath: string;
  savedPath?: string;
  /** Announced once the record is saved. */
  savedMessage: string;
  /** The usual next page, with a button that saves and opens it. */
  nextStep?: { name: string; to: string } | undefined;
  header?: ReactNode;
  /** Whether the element above the sections has unsaved values. */
  isHeaderUnsaved?: boolean;
}

const CANNOT_READ = () => Promise.reject(new Refused(409, []));

export function RecordForm({
  sections,
  stored,
  write,
  readAgain = CANNOT_READ,
  cancelPath,
  savedPath = cancelPath,
  savedMessage,
  ...more
}: Props) {
  const common = useWords();
  const words = useRecordWords();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { draft, change, save } = useDraft(stored);
  const form = useRef<HTMLFormElement>(null);
  const leadsTo = useRef(savedPath);
  const send = (to: string) => {
    leadsTo.current = to;
    form.current?.requestSubmit();
  };
  const specs = sections.flatMap(({ fields }) => fields);
  const saving = useMutation({
    mutationFn: async () => {
      await save((record) => write(cleanRecord(record, specs)), readAgain);
      await Promise.all(
        ["title", "titles", "search", "item"].map((key) => client.invalidateQueries({ queryKey: [key] })),
      );
      announce(savedMessage);
      clearUnsavedForm();
      navigate(leadsTo.current);
    },
  });
  const problem = findProblem(saving.error, specs);
  const edit = (changed: RecordJson) => {
    // The refused value may be correct now; a field that stays marked as invalid would keep the form from being sent
    // again.
    if (!saving.isPending) saving.reset();
    const taken = Object.keys(draft).filter((member) => !(member in changed));
    change({ ...changed, ...Object.fromEntries(taken.map((member) => [member, undefined])) });
  };
  // Ctrl+Enter saves from every field, since the buttons are far below. A scanner sends Enter alone.
  useEffect(() => {
    const node = form.current;
    const saves = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !event.ctrlKey) return;
      event.preventDefault();
      event.stopPropagation();
      send(event.shiftKey && more.nextStep ? more.nextStep.to : savedPath);
    };
    node?.addEventListener("keydown", saves, true);
    return () => node?.removeEventListener("keydown", saves, true);
  });
  useEffect(() => {
    if (saving.error) form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid] button")?.focus();
  }, [saving.error]);
  return (
    <Form
      className="form settings-form record-form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        // A disabled button would lose the focus, and when the server has refused the form, the keyboard would not
        // reach it any more.
        if (!saving.isPending) saving.mutate();
      }}
    >
      {more.header}
      {sections.map((section, index) => (
        <RecordSection
          key={section.name}
          section={section}
          record={draft}
          onChange={edit}
          problem={problem}
          isFirst={index === 0 && !more.header}
        />
      ))}
      {saving.error && !problem && (
        <NotSavedMessage
          error={saving.error}
          changedMessage={(fields) =>
            common.editing.changedMeanwhile(fields.map((field) => memberLabel(field, words.fields)))
          }
          deletedMessage={words.gone}
        />
      )}
      <div className="session-end">
        <Link className="button" href={cancelPath}>
          {common.cancel}
        </Link>
        {more.nextStep && <Button onPress={() => send(more.nextStep?.to ?? savedPath)}>{more.nextStep.name}</Button>}
        <Button
          kind="primary"
          type="submit"
          onPress={() => {
            leadsTo.current = savedPath;
          }}
        >
          {common.save}
        </Button>
      </div>
      <UnsavedChangesPrompt isUnsaved={more.isHeaderUnsaved || hasChanges(draft, stored, specs)} />
    </Form>
  );
}

interface SectionProps {
  section: FormSection;
  record: RecordJson;
  onChange: (record: RecordJson) => void;
  problem: Problem | undefined;
  isFirst: boolean;
}

function RecordSection({ section, record, onChange, problem, isFirst }: SectionProps) {
  const words = useRecordWords();
  const title = words.sections[section.name];
  const [isOpen] = useState(() => hasValues(record, section.fields));
  const isAlone = section.fields.length === 1;
  const fields = (
    <div className="fields">
      {section.fields.map((spec, index) => (
        <RecordField
          key={spec.at}
          spec={spec}
          record={record}
          onChange={onChange}
          error={problem?.at === spec.at ? (problem.text ?? words.taken) : undefined}
          autoFocus={isFirst && index === 0}
        />
      ))}
    </div>
  );
  const className = isAlone ? "sheet alone" : "sheet";
  if (!section.isRare) {
    return (
      <section className={className} aria-label={title}>
        <h2>{title}</h2>
        {fields}
      </section>
    );
  }
  return (
    <details className={className} open={isOpen}>
      <summary>{title}</summary>
      {fields}
    </details>
  );
}

/** The label of a member; for a member of which only parts have labels, that of the first part. */
function memberLabel(member: string, fields: Record<string, string>): string {
  return fields[member] ?? Object.entries(fields).find(([path]) => path.startsWith(`${member}.`))?.[1] ?? member;
}
