/** The dialog that searches for an authority and links a field to it. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { createRefusal } from "../api/http.ts";
import { type Heading, NEEDS, searchHeadings, sourceFiles } from "../authorities/calls.ts";
import { useHeadingWords } from "../authorities/words/index.tsx";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { readMarc } from "./calls.ts";
import { findHeading, type LinkingRule, linkRow, ruleFor, searchWords } from "./linking.ts";
import type { Row } from "./record.ts";
import { useMarcWords } from "./words/index.tsx";

interface Props {
  row: Row;
  rules: readonly LinkingRule[];
  onLinked: (row: Row) => void;
  onClose: () => void;
}

const PAUSE_MS = 250;
const MAX_HEADINGS = 20;

export function LinkDialog({ row, rules, onLinked, onClose }: Props) {
  const own = useMarcWords().link;
  const names = useHeadingWords();
  const may = useMay();
  const [text, setText] = useState(() => searchWords(row));
  const asked = useDebounced(text.trim());
  const found = useQuery({
    queryKey: ["authorities-to-link", asked],
    enabled: asked !== "",
    queryFn: () => searchHeadings({ words: asked, kind: "", file: "", references: false }, MAX_HEADINGS),
  });
  const files = useQuery({ ...sourceFiles, enabled: may(NEEDS.files) }).data ?? [];
  const linking = useMutation({
    mutationFn: async (authority: Heading) => {
      const { record } = await readMarc(authority.id);
      const heading = findHeading(record.fields);
      if (heading === undefined) throw createRefusal(422, own.noHeading);
      const rule = ruleFor(row.tag, heading, rules);
      if (rule === undefined) throw createRefusal(422, own.wrongKind(row.tag));
      const baseUrl = files.find(({ id }) => id === authority.sourceFileId)?.baseUrl;
      return linkRow(row, heading, { id: authority.id, naturalId: authority.naturalId ?? "", baseUrl }, rule);
    },
    onSuccess: onLinked,
  });
  const headings = found.data?.authorities ?? [];
  return (
    <Dialog title={own.title(row.tag)} isOpen onClose={onClose}>
      {() => (
        <>
          <Field label={own.search} help={own.help} value={text} onChange={setText} autoFocus />
          {linking.error && <ErrorMessage error={linking.error} />}
          {found.isLoading && <Loading />}
          {found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
          {found.isSuccess && headings.length === 0 && <EmptyMessage>{own.none}</EmptyMessage>}
          <ul className="marc-found">
            {headings.map((heading) => (
              <li key={`${heading.id}-${heading.headingRef}`}>
                <div className="what">
                  <b dir="auto">{heading.headingRef}</b>
                  <small>
                    {[
                      names.kinds[heading.headingType ?? ""] ?? heading.headingType,
                      files.find(({ id }) => id === heading.sourceFileId)?.name,
                      heading.numberOfTitles !== undefined && own.titles(heading.numberOfTitles),
                    ]
                      .filter(Boolean)
                      .join(" · ")}{" "}
                    <Code>{heading.naturalId}</Code>
                  </small>
                </div>
                <Button onPress={() => linking.mutate(heading)} isDisabled={linking.isPending}>
                  {own.take}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

/** The typed text, once typing pauses. */
function useDebounced(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
