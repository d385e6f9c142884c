/** Members of which a record may have any number: lines of fields, or lines of text. */

import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { CHOICES } from "../../api/inventory-lists.ts";
import { Field } from "../../parts/field.tsx";
import { Several } from "../../parts/several.tsx";
import { Tick } from "../../parts/tick.tsx";
import { labelOf, useRecordWords } from "../words/records.tsx";
import { isFilled } from "./finished.ts";
import { Pick } from "./pick.tsx";
import type { Part, Spec, Stored } from "./spec.ts";

interface Props {
  spec: Extract<Spec, { is: "list" }>;
  lines: readonly Stored[];
  onChange: (lines: Stored[]) => void;
}

export function Lines({ spec, lines, onChange }: Props) {
  const words = useRecordWords();
  const blank = useBlank(spec.parts);
  const shape = spec.parts.length > 1 ? "of-fields" : "of-one";
  return (
    <div className={`lines-of wide ${shape}`}>
      <Several
        legend={labelOf(words, spec.at)}
        add={words.adds[spec.at] ?? words.more}
        parts={lines}
        blank={blank}
        onChange={onChange}
      >
        {(line, set) =>
          spec.parts.map((part) => (
            <PartOf
              key={part.at}
              part={part}
              list={spec.at}
              line={line}
              isNeeded={part.required === true && isFilled(line, spec.parts)}
              onChange={(said) => {
                if (part.is === "only" && said === true) onChange(onlyIn(lines, line, part.at));
                else set({ [part.at]: said });
              }}
            />
          ))
        }
      </Several>
    </div>
  );
}

const onlyIn = (lines: readonly Stored[], chosen: Stored, at: string) =>
  lines.map((line) => ({ ...line, [at]: line === chosen }));

/** A new line begins with what most have. */
function useBlank(parts: readonly Part[]): Stored {
  const chosen = parts.flatMap((part) => (part.is === "choice" && (part.required || part.usual) ? [part] : []));
  const lists = useQueries({
    queries: chosen.map(({ from }) => CHOICES[typeof from === "string" ? from : "/locations"]),
  });
  const choices = chosen.map(({ at, from, usual }, index) => {
    if (typeof from !== "string") return [at, from[0]];
    const options = lists[index]?.data ?? [];
    return [at, (options.find(({ name }) => name === usual) ?? options[0])?.id];
  });
  const ticks = parts.filter(({ is }) => is === "yes" || is === "only").map(({ at }) => [at, false]);
  return Object.fromEntries([...choices, ...ticks]);
}

interface PartProps {
  part: Part;
  list: string;
  line: Stored;
  isNeeded: boolean;
  onChange: (said: unknown) => void;
}

function PartOf({ part, list, line, isNeeded, onChange }: PartProps) {
  const words = useRecordWords();
  const label = labelOf(words, part.at, list);
  const said = line[part.at];
  if (part.is === "yes" || part.is === "only") {
    return (
      <Tick value={said === true} onChange={onChange}>
        {label}
      </Tick>
    );
  }
  const text = typeof said === "string" ? said : "";
  if (part.is === "choice") {
    return (
      <Pick
        label={label}
        from={part.from}
        value={text || undefined}
        onChange={onChange}
        isRequired={part.required === true}
      />
    );
  }
  return (
    <Field
      label={label}
      lines={part.lines ?? 1}
      className={(part.lines ?? 1) > 1 ? "roomy" : ""}
      value={text}
      onChange={onChange}
      isRequired={isNeeded}
    />
  );
}

interface TextsProps {
  at: string;
  lines: number;
  texts: readonly string[];
  onChange: (texts: string[]) => void;
}

export function Texts({ at, lines, texts, onChange }: TextsProps) {
  const words = useRecordWords();
  const label = labelOf(words, at);
  return (
    <div className="lines-of of-one">
      <Several
        legend={label}
        add={words.adds[at] ?? words.more}
        parts={texts.map((text) => ({ text }))}
        blank={{ text: "" }}
        onChange={(parts) => onChange(parts.map(({ text }) => text))}
      >
        {({ text }, set) => <Field label={label} lines={lines} value={text} onChange={(said) => set({ text: said })} />}
      </Several>
    </div>
  );
}

/** Tags as one line of text; what is between commas is one. */
export function Tags({ label, help, tags, onChange }: TagsProps) {
  const [text, setText] = useState(tags.join(", "));
  return (
    <Field
      label={label}
      help={help}
      value={text}
      onChange={(said) => {
        setText(said);
        onChange(said.split(","));
      }}
    />
  );
}

interface TagsProps {
  label: string;
  help: string | undefined;
  tags: readonly string[];
  onChange: (tags: string[]) => void;
}
