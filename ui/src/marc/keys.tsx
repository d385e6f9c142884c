/** The list of keyboard shortcuts of the editor. */

import { useMarcWords } from "./words/index.tsx";

const KEYS = {
  add: "Enter",
  remove: "Ctrl+Delete",
  back: "Ctrl+Shift+Delete",
  up: "Alt+\u2191",
  down: "Alt+\u2193",
  arrows: "\u2191 \u2193",
  tab: "Tab",
  link: "F9",
  save: "Ctrl+S",
  keys: "F1",
} as const;

export function KeyHelp() {
  const own = useMarcWords();
  return (
    <section className="sheet marc-keys" aria-label={own.keysTitle}>
      <dl>
        {Object.entries(KEYS).map(([act, key]) => (
          <div key={act}>
            <dt>
              <kbd dir="ltr">{key}</kbd>
            </dt>
            <dd>{own.keys[act as keyof typeof KEYS]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
