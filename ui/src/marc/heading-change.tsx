/** What follows when an authority's heading is changed: which titles have it now, and what it will read there. */

import { useQuery } from "@tanstack/react-query";
import { countsOf, linkedTitles } from "../authorities/calls.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Loading, Trouble } from "../parts/states.tsx";
import { useWords } from "../words/index.tsx";
import { headingOf } from "./linking.ts";
import { type Draft, fieldsOf, type QuickMarc } from "./record.ts";
import { readable } from "./subfields.ts";
import { useMarcWords } from "./words/index.tsx";

interface Change {
  was: string;
  will: string;
  /** Another tag: the titles cannot follow it. */
  unlinks: boolean;
}

/** None: the heading stays as it is, or it is no authority. */
export function headingChange(stored: QuickMarc, draft: Draft): Change | undefined {
  if (draft.format !== "AUTHORITY") return undefined;
  const before = headingOf(stored.fields);
  const after = headingOf(fieldsOf(draft.rows));
  if (before === undefined || after === undefined) return undefined;
  const [was, will] = [readable(String(before.content)), readable(String(after.content))];
  const unlinks = before.tag !== after.tag;
  return String(before.content) === String(after.content) && !unlinks ? undefined : { was, will, unlinks };
}

/** So many titles are named. */
const FEW = 10;

interface Props {
  id: string;
  record: QuickMarc;
  draft: Draft;
  answer: (go: boolean) => void;
}

export function HeadingChange({ id, record, draft, answer }: Props) {
  const words = useWords();
  const own = useMarcWords().change;
  const change = headingChange(record, draft);
  const count = useQuery({
    queryKey: ["authority-counts", id],
    staleTime: 0,
    queryFn: async () => (await countsOf([id])).get(id) ?? 0,
  });
  const titles = useQuery({ ...linkedTitles(id, FEW), enabled: (count.data ?? 0) > 0 });
  const shown = titles.data?.instances ?? [];
  const others = (titles.data?.totalRecords ?? 0) - shown.length;
  return (
    <Dialog title={own.title} isOpen onClose={() => answer(false)}>
      {() => (
        <>
          <dl className="marc-change">
            <div>
              <dt>{own.was}</dt>
              <dd dir="auto">{change?.was}</dd>
            </div>
            <div>
              <dt>{own.will}</dt>
              <dd dir="auto">{change?.will}</dd>
            </div>
          </dl>
          {count.isPending && <Loading />}
          {count.error && <Trouble error={count.error} />}
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
