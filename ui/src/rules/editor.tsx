/** A text field with numbers, colours and the mistake's line; and the line under the cursor in words. */

import { useId, useState } from "react";
import { useWords } from "../words/index.tsx";
import { coloured, inWords } from "./language.ts";
import type { Mistake } from "./mistake.ts";
import { useNames } from "./names.ts";

interface Props {
  text: string;
  onChange: (text: string) => void;
  mistake: Mistake | undefined;
  readOnly: boolean;
}

export function Editor({ text, onChange, mistake, readOnly }: Props) {
  const words = useWords();
  const names = useNames();
  const id = useId();
  const [line, setLine] = useState(1);
  const lines = text.split("\n");
  const look = (field: HTMLTextAreaElement) => setLine(text.slice(0, field.selectionStart).split("\n").length);
  const told = inWords(lines[line - 1] ?? "", names, words);
  return (
    <div className="rules">
      <label htmlFor={id}>{words.rules.editor}</label>
      <div className="editor">
        <pre aria-hidden="true">
          {lines.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
            <span className={mistake?.line === index + 1 ? "line mistaken" : "line"} key={index}>
              {coloured(one).map(([kind, part], at) => (
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
          onChange={(event) => onChange(event.target.value)}
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
      <p className="help in-words" id={`${id}-line`}>
        <strong>{words.rules.line(line)}</strong> {told || words.rules.nothing}
      </p>
    </div>
  );
}
