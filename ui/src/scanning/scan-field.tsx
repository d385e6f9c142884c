/** Where the scanner types. It has the focus whenever nothing else needs it, and is empty again before the answer comes. */

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "../parts/button.tsx";
import { useWords } from "../words/index.tsx";

interface Props {
  label: string;
  submit: string;
  help?: ReactNode;
  onScan: (text: string) => void;
  onEscape?: () => void;
  /** Another value takes the focus back: after a dialog, after a session. */
  focusKey?: unknown;
}

export function ScanField({ label, submit, help, onScan, onEscape, focusKey }: Props) {
  const words = useWords();
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is what asks for the focus
  useEffect(() => input.current?.focus(), [focusKey]);
  return (
    <form
      className="scan"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const scanned = text.trim();
        setText("");
        input.current?.focus();
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
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.defaultPrevented) return;
            if (text) setText("");
            else onEscape?.();
          }}
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
