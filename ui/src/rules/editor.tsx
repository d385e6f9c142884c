/**
 * The editor of the circulation rules: line numbers, colours, the line of a mistake, completion, and the current line
 * in words.
 */

import { useId, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "../words/index.tsx";
import { Completions, useCompletion } from "./completion.tsx";
import { lineInWords, splitTokens } from "./language.ts";
import type { Mistake } from "./mistake.ts";
import type { NamedRecord } from "./named.ts";

interface Props {
  /** The rules with names in place of ids. */
  text: string;
  things: readonly NamedRecord[];
  onChange: (text: string) => void;
  mistake: Mistake | undefined;
  readOnly: boolean;
}

export function RulesEditor({ text, things, onChange, mistake, readOnly }: Props) {
  const words = useWords();
  const id = useId();
  const [line, setLine] = useState(1);
  const lines = text.split("\n");
  const field = useRef<HTMLTextAreaElement>(null);
  const put = useRef<number>(undefined);
  const completing = useCompletion({
    text,
    things,
    onInsert: (text, cursor) => {
      put.current = cursor;
      onChange(text);
    },
  });
  // Setting the value of a text field moves the cursor to its end, so it is put back.
  useLayoutEffect(() => {
    if (put.current === undefined) return;
    field.current?.setSelectionRange(put.current, put.current);
    put.current = undefined;
  });
  const look = ({ value, selectionStart }: HTMLTextAreaElement) =>
    setLine(value.slice(0, selectionStart).split("\n").length);
  const told = lineInWords(lines[line - 1] ?? "", new Map(things.map(({ id, name }) => [id, name])), words);
  return (
    <div className="rules">
      <label htmlFor={id}>{words.rules.editor}</label>
      <div className="editor">
        <pre aria-hidden="true">
          {lines.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
            <span className={mistake?.line === index + 1 ? "line mistaken" : "line"} key={index}>
              {splitTokens(one).map(([kind, part], at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
                <span className={kind} key={at}>
                  {part}
                </span>
              ))}
              {"\n"}
            </span>
          ))}
        </pre>
        <textarea
          id={id}
          value={text}
          rows={lines.length}
          ref={field}
          onChange={(event) => {
            onChange(event.target.value);
            completing.look(event.target.selectionStart);
          }}
          onKeyDown={completing.onKeyDown}
          onBlur={() => completing.look(undefined)}
          aria-autocomplete="list"
          aria-controls={completing.id}
          aria-activedescendant={completing.completion && `${completing.id}-${completing.at}`}
          onSelect={(event) => look(event.currentTarget)}
          readOnly={readOnly}
          spellCheck={false}
          autoCapitalize="off"
          wrap="off"
          aria-invalid={mistake !== undefined}
          aria-errormessage={mistake ? "mistake" : undefined}
          aria-describedby={`${id}-line`}
        />
      </div>
      {!readOnly && <Completions {...completing} />}
      <p className="help in-words" id={`${id}-line`}>
        <strong>{words.rules.line(line)}</strong> {told || words.rules.nothing}
      </p>
    </div>
  );
}
