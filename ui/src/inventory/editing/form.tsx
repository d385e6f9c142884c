/** The form of a title, of holdings or of an item. What it does not show goes back to the server as it came. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link, useLocation } from "wouter";
import { Refused } from "../../api/http.ts";
import { Button } from "../../parts/button.tsx";
import { useDraft } from "../../parts/draft.ts";
import { allSaved } from "../../parts/guarded-location.ts";
import { NotSaved } from "../../parts/not-saved.tsx";
import { AsksBeforeLeaving } from "../../parts/unsaved.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useWords } from "../../words/index.tsx";
import { useRecordWords } from "../words/records.tsx";
import { Control } from "./control.tsx";
import { differs, finished, saysAnything } from "./finished.ts";
import { type Problem, problemOf } from "./problems.ts";
import type { Section, Stored } from "./spec.ts";

interface Props {
  sections: readonly Section[];
  stored: Stored;
  write: (record: Stored) => Promise<unknown>;
  /** Where others may change it meanwhile. */
  readAgain?: () => Promise<Stored>;
  /** Where one goes from here. */
  back: string;
  next?: string;
  /** Said once it is saved. */
  said: string;
  /** What mostly comes next, with a button that saves and leads there. */
  goesOn?: { name: string; to: string } | undefined;
  above?: ReactNode;
  /** Whether something is written above. */
  isMoreUnsaved?: boolean;
}

const CANNOT_READ = () => Promise.reject(new Refused(409, []));

export function RecordForm({
  sections,
  stored,
  write,
  readAgain = CANNOT_READ,
  back,
  next = back,
  said,
  ...more
}: Props) {
  const common = useWords();
  const words = useRecordWords();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { draft, change, save } = useDraft(stored);
  const form = useRef<HTMLFormElement>(null);
  const leadsTo = useRef(next);
  const send = (to: string) => {
    leadsTo.current = to;
    form.current?.requestSubmit();
  };
  const specs = sections.flatMap(({ fields }) => fields);
  const saving = useMutation({
    mutationFn: async () => {
      await save((record) => write(finished(record, specs)), readAgain);
      await Promise.all(
        ["title", "titles", "search", "item"].map((key) => client.invalidateQueries({ queryKey: [key] })),
      );
      announce(said);
      allSaved();
      navigate(leadsTo.current);
    },
  });
  const problem = problemOf(saving.error, specs);
  const edit = (changed: Stored) => {
    // What was wrong may be right now: a field that stays marked would keep the form from being sent again.
    if (!saving.isPending) saving.reset();
    const taken = Object.keys(draft).filter((member) => !(member in changed));
    change({ ...changed, ...Object.fromEntries(taken.map((member) => [member, undefined])) });
  };
  // From wherever one writes: the buttons are far below. A scanner sends Enter alone.
  useEffect(() => {
    const node = form.current;
    const saves = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !event.ctrlKey) return;
      event.preventDefault();
      event.stopPropagation();
      send(event.shiftKey && more.goesOn ? more.goesOn.to : next);
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
        // A disabled button would lose the focus, and keys would not find the form when the server has refused it.
        if (!saving.isPending) saving.mutate();
      }}
    >
      {more.above}
      {sections.map((section, index) => (
        <SectionOf
          key={section.name}
          section={section}
          record={draft}
          onChange={edit}
          problem={problem}
          isFirst={index === 0 && !more.above}
        />
      ))}
      {saving.error && !problem && (
        <NotSaved
          error={saving.error}
          changed={(fields) =>
            common.editing.changedMeanwhile(fields.map((field) => nameOfMember(field, words.fields)))
          }
          gone={words.gone}
        />
      )}
      <div className="session-end">
        <Link className="button" href={back}>
          {common.cancel}
        </Link>
        {more.goesOn && <Button onPress={() => send(more.goesOn?.to ?? next)}>{more.goesOn.name}</Button>}
        <Button
          kind="primary"
          type="submit"
          onPress={() => {
            leadsTo.current = next;
          }}
        >
          {common.save}
        </Button>
      </div>
      <AsksBeforeLeaving isUnsaved={more.isMoreUnsaved || differs(draft, stored, specs)} />
    </Form>
  );
}

interface SectionProps {
  section: Section;
  record: Stored;
  onChange: (record: Stored) => void;
  problem: Problem | undefined;
  isFirst: boolean;
}

function SectionOf({ section, record, onChange, problem, isFirst }: SectionProps) {
  const words = useRecordWords();
  const title = words.sections[section.name];
  const [isOpen] = useState(() => saysAnything(record, section.fields));
  const isAlone = section.fields.length === 1;
  const fields = (
    <div className="fields">
      {section.fields.map((spec, index) => (
        <Control
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

/** Of a member whose parts have names alone, theirs. */
function nameOfMember(member: string, fields: Record<string, string>): string {
  return fields[member] ?? Object.entries(fields).find(([path]) => path.startsWith(`${member}.`))?.[1] ?? member;
}
