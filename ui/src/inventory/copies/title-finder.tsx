/**
 * A form field that finds another title by words, a number, or the barcode of one of its items. The Enter key of a
 * scanner does not send the form.
 */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { searchTitles } from "../../api/search.ts";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { useDebounced } from "../../parts/settled.ts";
import { SEARCHES } from "../../parts/typed-text.ts";
import { sortedQuery } from "../asked.ts";
import { imprint } from "../imprint.ts";
import { useRecordWords } from "../words/records.tsx";

/** At most so many titles are offered; more words narrow the search. */
const MAX_TITLES = 20;

export interface FoundTitle {
  id: string;
  title: string;
}

interface Props {
  label: string;
  /** The ids of titles that cannot be chosen. */
  except: readonly string[];
  onChange: (title: FoundTitle | undefined) => void;
}

export function TitleFinder({ label, except, onChange }: Props) {
  const own = useRecordWords().move;
  const [text, setText] = useState("");
  const [picked, pick] = useState<string>();
  const asked = useDebounced(text.trim());
  const titles = useQuery({
    queryKey: ["find-title", asked],
    enabled: asked.length > 1,
    queryFn: async () => {
      const query = sortedQuery({ text: asked, option: "anything", chosen: {}, sort: "relevance" });
      return (await searchTitles({ query, limit: MAX_TITLES })).instances;
    },
  });
  const found = titles.data?.filter(({ id }) => !except.includes(id ?? "")) ?? [];
  const title = found.find(({ id }) => id === picked) ?? (found.length === 1 ? found[0] : undefined);
  useEffect(() => onChange(title), [title, onChange]);
  return (
    <>
      <Field
        {...SEARCHES}
        label={label}
        help={found.length === 1 && title ? title.title : own.finderHelp}
        {...(titles.isSuccess && found.length === 0 && { error: own.noTitle })}
        value={text}
        onChange={setText}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        isRequired
      />
      {found.length > 1 && (
        <Choice
          label={own.several(found.length)}
          options={found.map((one) => ({ id: one.id, name: [one.title, imprint(one)].filter(Boolean).join(" · ") }))}
          value={picked ?? null}
          onChange={pick}
          placeholder={own.choose}
          isRequired
        />
      )}
    </>
  );
}
