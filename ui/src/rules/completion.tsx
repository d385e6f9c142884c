/** The names that may stand where the cursor is, below the rules: chosen with the arrow keys, put in with Enter or Tab. */

import { type KeyboardEvent, useId, useState } from "react";
import { type Completion, completionOf, type Thing, written } from "./named.ts";
import { useRulesWords } from "./words/index.tsx";

interface Props {
  text: string;
  things: readonly Thing[];
  /** Puts the text in, with the cursor behind what was put in. */
  onPut: (text: string, cursor: number) => void;
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** To be asked for every key, and told where the cursor is. */
export function useCompletion({ text, things, onPut }: Props) {
  const id = useId();
  const [cursor, setCursor] = useState<number>();
  const [chosen, choose] = useState(0);
  const start = cursor === undefined ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
  const completion = cursor === undefined ? undefined : completionOf(text.slice(start, cursor), things);
  const at = Math.min(chosen, (completion?.options.length ?? 1) - 1);
  const isBegun = completion !== undefined && cursor !== undefined && cursor > start + completion.from;
  const put = (thing: Thing) => {
    if (completion === undefined || cursor === undefined) return;
    const said = `${written(thing, things)} `;
    const from = start + completion.from;
    // A quote that stands behind the cursor already belongs to what is replaced.
    const rest = text.slice(cursor).replace(/^" ?/, "");
    setCursor(undefined);
    onPut(text.slice(0, from) + said + rest, from + said.length);
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
      const step = STEPS[event.key];
      const thing = completion.options[at];
      // Until something of a name is typed, the keys are those of the text.
      if (step !== undefined && isBegun) choose((at + step + completion.options.length) % completion.options.length);
      else if ((event.key === "Enter" || event.key === "Tab") && isBegun && thing && !event.shiftKey) put(thing);
      else if (event.key === "Escape") setCursor(undefined);
      else return;
      event.preventDefault();
    },
  };
}

interface Shown {
  completion: Completion | undefined;
  id: string;
  at: number;
  put: (thing: Thing) => void;
}

export function Completions({ completion, id, at, put }: Shown) {
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
            // Before the text loses the focus.
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
