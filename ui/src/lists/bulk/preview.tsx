/** The preview of an action on many rows. */

import { useMemo } from "react";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { errorText as reasons } from "../../parts/states.tsx";
import { useFormats, useWords } from "../../words/index.tsx";
import type { ListRow } from "../row.ts";
import { useListWords } from "../words/index.tsx";
import type { JobEntry } from "./job.ts";
import { canBeTried } from "./orders.ts";
import { MAX_TRIED, type PlannedRow, useTrial } from "./plan.ts";

interface Props {
  plan: readonly PlannedRow[];
  /** Number of ticked rows, with those to which the action does not apply. */
  count: number;
  describeRow: (row: ListRow) => string;
  onBack: () => void;
  onStart: (entries: JobEntry[]) => void;
}

const MAX_LINES = 50;

export function Preview({ plan: given, count, describeRow, onBack, onStart }: Props) {
  const words = useWords();
  const own = useListWords().bulk;
  const formats = useFormats();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the plan that was looked at is the one that is carried out
  const plan = useMemo(() => given, []);
  const { tried, total } = useTrial(plan);
  const isRefused = (index: number) => index < tried.length && "error" in (tried[index] ?? {});
  const refused = plan.flatMap((one, index) => {
    const result = tried[index];
    return result && "error" in result ? [{ ...one, why: reasons(result.error, words) }] : [];
  });
  const going = plan.filter((_, index) => !isRefused(index));
  const isTrying = tried.length < total;
  const after = (index: number, row: ListRow) => {
    const result = tried[index];
    const due = result && "answer" in result ? result.answer.dueDate : undefined;
    return due && row.loan ? own.becomes(formats.due(row.loan.dueDate), formats.due(due)) : describeRow(row);
  };
  return (
    <div className="form">
      {isTrying ? (
        <div className="list-far">
          <progress aria-label={own.trying} value={tried.length} max={total} />
          <span>{own.trying}</span>
        </div>
      ) : (
        <p role="status">
          {going.length === 0 ? own.nothing : own.wouldChange(formats.number(going.length), formats.number(count))}
        </p>
      )}
      {plan.length < count && <p>{own.leftOut(formats.number(count - plan.length))}</p>}
      {refused.length > 0 && (
        <section className="bulk-lines" aria-label={own.refused(formats.number(refused.length))}>
          <p className="bad">{own.refused(formats.number(refused.length))}</p>
          <ul>
            {refused.map(({ row, why }) => (
              <li key={row.key}>
                <strong>{row.title}</strong> <Code>{row.barcode}</Code> {row.patron}
                <small className="bad">{why}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
      {going.length > MAX_LINES && <p>{own.first(formats.number(MAX_LINES))}</p>}
      <ul className="bulk-lines">
        {plan
          .map((one, index) => ({ ...one, index }))
          .filter(({ index }) => !isRefused(index))
          .slice(0, MAX_LINES)
          .map(({ row, index }) => (
            <li key={row.key}>
              <strong>{row.title}</strong> <Code>{row.barcode}</Code> {row.patron}
              <small>{after(index, row)}</small>
            </li>
          ))}
      </ul>
      {total === MAX_TRIED && plan.length > total && <p className="help">{own.untried(formats.number(MAX_TRIED))}</p>}
      {total === 0 && plan.some(({ entry }) => canBeTried(entry.order)) && <p className="help">{own.notTried}</p>}
      <div className="buttons">
        <Button onPress={onBack}>{own.back}</Button>
        <Button
          kind="primary"
          isDisabled={isTrying || going.length === 0}
          onPress={() => onStart(going.map(({ entry }) => entry))}
        >
          {own.start(formats.number(going.length))}
        </Button>
      </div>
    </div>
  );
}
