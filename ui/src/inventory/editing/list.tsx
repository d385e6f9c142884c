/** Repeatable members of a record: lines of fields, or lines of text. */

import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { CHOICE_LISTS } from "../../api/inventory-lists.ts";
import { Field } from "../../parts/field.tsx";
import { RepeatableFields } from "../../parts/several.tsx";
import { CheckboxField } from "../../parts/tick.tsx";
import { labelOf, useRecordWords } from "../words/records.tsx";
import { isFilled } from "./finished.ts";
import { ListChoice } from "./pick.tsx";
import type { FieldSpec, LinePartSpec, RecordJson } from "./spec.ts";

interface Props {
  spec: Extract<FieldSpec, { is: "list" }>;
  lines: readonly RecordJson[];
  onChange: (lines: RecordJson[]) => void;
}

export function RepeatableLines({ spec, lines, onChange }: Props) {
  const words = useRecordWords();
  const blank = useNewLine(spec.parts);
  const shape = spec.parts.length > 1 ? "of-fields" : "of-one";
  return (
    <div className={`lines-of wide ${shape}`}>
      <RepeatableFields
        legend={labelOf(words, spec.at)}
        add={words.adds[spec.at] ?? words.more}
        parts={lines}
        blank={blank}
        onChange={onChange}
      >
        {(line, set) =>
          spec.parts.map((part) => (
            <LinePart
              key={part.at}
              part={part}
              list={spec.at}
              line={line}
              isNeeded={part.required === true && isFilled(line, spec.parts)}
              onChange={(said) => {
                if (part.is === "only" && said === true) onChange(markOnlyLine(lines, line, part.at));
                else set({ [part.at]: said });
              }}
            />
          ))
        }
      </RepeatableFields>
    </div>
  );
}

const markOnlyLine = (lines: readonly RecordJson[], chosen: RecordJson, at: string) =>
  lines.map((line) => ({ ...line, [at]: line === chosen }));

/** The default values of a new line. */
function useNewLine(parts: readonly LinePartSpec[]): RecordJson {
  const chosen = parts.flatMap((part) => (part.is === "choice" && (part.required || part.usual) ? [part] : []));
  const lists = useQueries({
    queries: chosen.map(({ from }) => CHOICE_LISTS[typeof from === "string" ? from : "/locations"]),
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
  part: LinePartSpec;
  list: string;
  line: RecordJson;
  isNeeded: boolean;
  onChange: (said: unknown) => void;
}

function LinePart({ part, list, line, isNeeded, onChange }: PartProps) {
  const words = useRecordWords();
  const label = labelOf(words, part.at, list);
  const said = line[part.at];
  if (part.is === "yes" || part.is === "only") {
    return (
      <CheckboxField value={said === true} onChange={onChange}>
        {label}
      </CheckboxField>
    );
  }
  const text = typeof said === "string" ? said : "";
  if (part.is === "choice") {
    return (
      <ListChoice
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

interface TextLinesProps {
  at: string;
  lines: number;
  texts: readonly string[];
  onChange: (texts: string[]) => void;
}

export function TextLines({ at, lines, texts, onChange }: TextLinesProps) {
  const words = useRecordWords();
  const label = labelOf(words, at);
  return (
    <div className="lines-of of-one">
      <RepeatableFields
        legend={label}
        add={words.adds[at] ?? words.more}
        parts={texts.map((text) => ({ text }))}
        blank={{ text: "" }}
        onChange={(parts) => onChange(parts.map(({ text }) => text))}
      >
        {({ text }, set) => <Field label={label} lines={lines} value={text} onChange={(said) => set({ text: said })} />}
      </RepeatableFields>
    </div>
  );
}

/** Tags as one text, separated by commas. */
export function TagsField({ label, help, tags, onChange }: TagsFieldProps) {
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

interface TagsFieldProps {
  label: string;
  help: string | undefined;
  tags: readonly string[];
  onChange: (tags: string[]) => void;
}
