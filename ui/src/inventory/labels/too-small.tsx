/** Warns if the text of a label does not fit: lines below the edge would not be printed. */

import { useEffect, useRef, useState } from "react";
import type { Item } from "../../api/inventory.ts";
import { useRecordWords } from "../words/records.tsx";
import { ItemLabel } from "./label.tsx";
import type { Template } from "./template.ts";

/** At most so many labels are measured, since all are drawn again with each typed letter. */
const MAX_MEASURED = 500;
const MAX_NAMED = 3;

export function TooSmallWarning({ items, template }: { items: readonly Item[]; template: Template }) {
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
  const named = cut.slice(0, MAX_NAMED).join(", ");
  return (
    <>
      <div className="label-measure" aria-hidden="true" ref={box}>
        {items.slice(0, MAX_MEASURED).map((item) => (
          <ItemLabel key={item.id} item={item} template={template} />
        ))}
      </div>
      <div role="status">
        {cut.length > 0 && (
          <p className="banner warn">{own.tooSmall(cut.length, cut.length > MAX_NAMED ? `${named} …` : named)}</p>
        )}
      </div>
    </>
  );
}
