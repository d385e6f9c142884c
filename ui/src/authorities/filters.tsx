/** Filters of the search for headings and of the browse list. */

import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { HEADING_TYPES, type HeadingSearch } from "./calls.ts";
import { useHeadingWords } from "./words/index.tsx";

const ANY = "any";

type HeadingFilters = Omit<HeadingSearch, "words">;

/** The filters, read from the address of the page. */
export const headingFiltersFromAddress = (get: (name: string) => string): HeadingFilters => ({
  kind: get("kind"),
  file: get("file"),
  references: get("references") === "yes",
});

interface Props {
  values: HeadingFilters;
  files: readonly { id: string; name: string }[];
  /** Parameters of the address to remove when a filter changes, such as the place in the browse list. */
  clears?: readonly string[];
}

export function Filters({ values, files, clears = [] }: Props) {
  const own = useHeadingWords();
  const [, setAddress] = useAddress();
  const set = (change: Record<string, string | undefined>) =>
    setAddress({ ...Object.fromEntries(clears.map((one) => [one, undefined])), ...change });
  const kinds = HEADING_TYPES.map((id) => ({ id: id as string, name: own.kinds[id] ?? id }));
  const any = { id: ANY, name: own.any };
  return (
    <section className="list-filters" aria-label={own.filters}>
      <Choice
        className="inline"
        label={own.columns.kind}
        options={[any, ...kinds]}
        value={values.kind || ANY}
        onChange={(id) => set({ kind: id === ANY ? undefined : id })}
      />
      <Choice
        className="inline"
        label={own.columns.file}
        options={[any, ...files]}
        value={values.file || ANY}
        onChange={(id) => set({ file: id === ANY ? undefined : id })}
      />
      <CheckboxField value={values.references} onChange={(is) => set({ references: is ? "yes" : undefined })}>
        {own.references}
      </CheckboxField>
    </section>
  );
}
