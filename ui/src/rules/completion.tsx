/** Completion: the names that fit at the cursor, listed below the rules. Arrow keys choose, Enter or Tab inserts. */

import { type KeyboardEvent, useId, useState } from "react";
import { type Completion, findCompletion, type NamedRecord, nameOrId } from "./named.ts";
import { useRulesWords } from "./words/index.tsx";

interface Props {
  text: string;
  things: readonly NamedRecord[];
  /** Replaces the text, and puts the cursor behind what was inserted. */
  onInsert: (text: string, cursor: number) => void;
}

const ARROW_STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** State and keys of the completion. The text field passes on every key, and every position of the cursor. */
export function useCompletion({ text, things, onInsert }: Props) {
  const id = useId();
  const [cursor, setCursor] = useState<number>();
  const [chosen, choose] = useState(0);
  const start = cursor === undefined ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
  const completion = cursor === undefined ? undefined : findCompletion(text.slice(start, cursor), things);
  const at = Math.min(chosen, (completion?.options.length ?? 1) - 1);
  const isBegun = completion !== undefined && cursor !== undefined && cursor > start + completion.start;
  const put = (thing: NamedRecord) => {
    if (completion === undefined || cursor === undefined) return;
    const said = `${nameOrId(thing, things)} `;
    const from = start + completion.start;
    // A closing quotation mark behind the cursor belongs to the name that is replaced.
    const rest = text.slice(cursor).replace(/^" ?/, "");
    setCursor(undefined);
    onInsert(text.slice(0, from) + said + rest, from + said.length);
  };
  return {
    completion,
    id,
    at,
    put,
    look: (place: number | undefined) => {
      setCursor(place);
      choose(0);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (completion === undefined) return;
      const step = ARROW_STEPS[event.key];
      const thing = completion.options[at];
      // Until a part of a name is typed, arrow keys, Enter and Tab work as in any text.
      if (step !== undefined && isBegun) choose((at + step + completion.options.length) % completion.options.length);
      else if ((event.key === "Enter" || event.key === "Tab") && isBegun && thing && !event.shiftKey) put(thing);
      else if (event.key === "Escape") setCursor(undefined);
      else return;
      event.preventDefault();
    },
  };
}

interface CompletionsProps {
  completion: Completion | undefined;
  id: string;
  at: number;
  put: (thing: NamedRecord) => void;
}

export function Completions({ completion, id, at, put }: CompletionsProps) {
  const words = useRulesWords();
  return (
    <div className="completions">
      <p className="help">{completion ? words.names : words.namesHelp}</p>
      <div role="listbox" id={id} aria-label={words.names}>
        {completion?.options.map((thing, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the text, which keeps the focus
          <div
            className="option"
            role="option"
            key={thing.id}
            id={`${id}-${index}`}
            aria-selected={index === at}
            // Keeps the focus in the text field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => put(thing)}
          >
            {thing.name}
          </div>
        ))}
      </div>
    </div>
  );
}
