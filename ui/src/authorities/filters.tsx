/** What narrows a search for headings, or the list of them. */

import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Tick } from "../parts/tick.tsx";
import { type Asked, KINDS } from "./calls.ts";
import { useHeadingWords } from "./words/index.tsx";

const ANY = "any";

type Narrowed = Omit<Asked, "words">;

/** As the address keeps it. */
export const narrowed = (get: (name: string) => string): Narrowed => ({
  kind: get("kind"),
  file: get("file"),
  references: get("references") === "yes",
});

interface Props {
  asked: Narrowed;
  files: readonly { id: string; name: string }[];
  /** What of the address does not hold for other filters. */
  clears?: readonly string[];
}

export function Filters({ asked, files, clears = [] }: Props) {
  const own = useHeadingWords();
  const [, setAddress] = useAddress();
  const set = (change: Record<string, string | undefined>) =>
    setAddress({ ...Object.fromEntries(clears.map((one) => [one, undefined])), ...change });
  const kinds = KINDS.map((id) => ({ id: id as string, name: own.kinds[id] ?? id }));
  const any = { id: ANY, name: own.any };
  return (
    <section className="list-filters" aria-label={own.filters}>
      <Choice
        className="inline"
        label={own.columns.kind}
        options={[any, ...kinds]}
        value={asked.kind || ANY}
        onChange={(id) => set({ kind: id === ANY ? undefined : id })}
      />
      <Choice
        className="inline"
        label={own.columns.file}
        options={[any, ...files]}
        value={asked.file || ANY}
        onChange={(id) => set({ file: id === ANY ? undefined : id })}
      />
      <Tick value={asked.references} onChange={(is) => set({ references: is ? "yes" : undefined })}>
        {own.references}
      </Tick>
    </section>
  );
}
