/** Asks before the heading of an authority is changed: shows how it changes and which titles are linked to it. */

import { useQuery } from "@tanstack/react-query";
import { countLinkedTitles, linkedTitles } from "../authorities/calls.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { useWords } from "../words/index.tsx";
import { findHeading } from "./linking.ts";
import { type Draft, fieldsFromRows, type QuickMarc } from "./record.ts";
import { readableText } from "./subfields.ts";
import { useMarcWords } from "./words/index.tsx";

interface HeadingDifference {
  before: string;
  after: string;
  /** The tag of the heading changes, so that linked titles lose their links. */
  unlinks: boolean;
}

/** undefined if the heading does not change, or the record is not an authority. */
export function compareHeadings(stored: QuickMarc, draft: Draft): HeadingDifference | undefined {
  if (draft.format !== "AUTHORITY") return undefined;
  const before = findHeading(stored.fields);
  const after = findHeading(fieldsFromRows(draft.rows));
  if (before === undefined || after === undefined) return undefined;
  const [was, will] = [readableText(String(before.content)), readableText(String(after.content))];
  const unlinks = before.tag !== after.tag;
  return String(before.content) === String(after.content) && !unlinks
    ? undefined
    : { before: was, after: will, unlinks };
}

/** How many linked titles are listed. */
const MAX_TITLES = 10;

interface Props {
  id: string;
  record: QuickMarc;
  draft: Draft;
  answer: (go: boolean) => void;
}

export function HeadingChangeDialog({ id, record, draft, answer }: Props) {
  const words = useWords();
  const own = useMarcWords().change;
  const change = compareHeadings(record, draft);
  const count = useQuery({
    queryKey: ["authority-counts", id],
    staleTime: 0,
    queryFn: async () => (await countLinkedTitles([id])).get(id) ?? 0,
  });
  const titles = useQuery({ ...linkedTitles(id, MAX_TITLES), enabled: (count.data ?? 0) > 0 });
  const shown = titles.data?.instances ?? [];
  const others = (titles.data?.totalRecords ?? 0) - shown.length;
  return (
    <Dialog title={own.title} isOpen onClose={() => answer(false)}>
      {() => (
        <>
          <dl className="marc-change">
            <div>
              <dt>{own.was}</dt>
              <dd dir="auto">{change?.before}</dd>
            </div>
            <div>
              <dt>{own.will}</dt>
              <dd dir="auto">{change?.after}</dd>
            </div>
          </dl>
          {count.isPending && <Loading />}
          {count.error && <ErrorMessage error={count.error} />}
          {count.isSuccess && (
            <p className={count.data > 0 ? "banner warn" : "banner note"}>
              {count.data > 0 ? own.follows(count.data) : own.none}
            </p>
          )}
          {change?.unlinks && (count.data ?? 0) > 0 && <p className="banner bad">{own.unlinks}</p>}
          {shown.length > 0 && (
            <ul className="marc-titles">
              {shown.map(({ id, title }) => (
                <li key={id} dir="auto">
                  {title}
                </li>
              ))}
              {others > 0 && <li>{own.more(others)}</li>}
            </ul>
          )}
          <div className="buttons">
            <Button onPress={() => answer(false)}>{words.cancel}</Button>
            <Button kind="primary" autoFocus onPress={() => answer(true)}>
              {own.save}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
