/**
 * The field that a scanner types into. It has the focus whenever nothing else needs it, and is emptied before the
 * answer comes.
 */

import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../parts/button.tsx";
import { useWords } from "../words/index.tsx";
import { takeScansTo } from "./steer.ts";

interface Props {
  label: string;
  submit: string;
  help?: ReactNode;
  onScan: (text: string) => void;
  onEscape?: () => void;
  /** The typed text and its setter, if the text has to outlive this field. */
  textState?: [text: string, setText: (text: string) => void];
}

export function ScanField({ label, submit, help, onScan, onEscape, textState }: Props) {
  const words = useWords();
  const own = useState("");
  const [text, setText] = textState ?? own;
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const leave = () => (text ? setText("") : onEscape?.());
  const latest = useRef({ onScan, leave });
  latest.current = { onScan, leave };
  // A layout effect sets the focus before the next key of the scanner comes.
  useLayoutEffect(() => {
    const field = input.current;
    if (!field) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    return takeScansTo({
      input: field,
      onScan: (scanned) => latest.current.onScan(scanned),
      onEscape: () => latest.current.leave(),
    });
  }, []);
  return (
    <form
      className="scan"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const scanned = text.trim();
        setText("");
        if (scanned) onScan(scanned);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <div className="scan-line">
        <input
          id={id}
          ref={input}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          aria-describedby={help ? `${id}-help` : undefined}
        />
        <Button kind="primary" type="submit">
          {submit}
        </Button>
      </div>
      <p className="help" id={`${id}-help`}>
        {help ?? words.optional}
      </p>
    </form>
  );
}
