/** Says on which labels not everything has room: what stands below the edge of a label would not be printed. */

import { useEffect, useRef, useState } from "react";
import type { Item } from "../../api/inventory.ts";
import { useRecordWords } from "../words/records.tsx";
import { LabelOf } from "./label.tsx";
import type { Template } from "./template.ts";

/** Of more labels than these it takes too long to draw all of them with each letter that is typed. */
const MOST_MEASURED = 500;
const MOST_NAMED = 3;

export function TooSmall({ items, template }: { items: readonly Item[]; template: Template }) {
  const own = useRecordWords().labels;
  const box = useRef<HTMLDivElement>(null);
  const [cut, setCut] = useState<readonly string[]>([]);
  const { width, height, size, text } = template;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the labels are measured once they are drawn by this template
  useEffect(() => {
    const labels = [...(box.current?.children ?? [])];
    const isCut = (label: Element | undefined) => label !== undefined && label.scrollHeight > label.clientHeight + 1;
    setCut(items.filter((_, index) => isCut(labels[index])).map(({ barcode }) => barcode ?? "–"));
  }, [items, width, height, size, text]);
  const named = cut.slice(0, MOST_NAMED).join(", ");
  return (
    <>
      <div className="label-measure" aria-hidden="true" ref={box}>
        {items.slice(0, MOST_MEASURED).map((item) => (
          <LabelOf key={item.id} item={item} template={template} />
        ))}
      </div>
      <div role="status">
        {cut.length > 0 && (
          <p className="banner warn">{own.tooSmall(cut.length, cut.length > MOST_NAMED ? `${named} …` : named)}</p>
        )}
      </div>
    </>
  );
}
