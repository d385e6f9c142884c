/** A label as it comes from the printer. */

import { useLayoutEffect } from "react";
import type { Item } from "../../api/inventory.ts";
import { factsOf, linesOf, type Template } from "./template.ts";

export function LabelOf({ item, template }: { item: Item; template: Template }) {
  const { width, height, size, text } = template;
  return (
    <div
      className="item-label"
      dir="auto"
      style={{ width: `${width}mm`, height: `${height}mm`, fontSize: `${size}pt` }}
    >
      {linesOf(text, factsOf(item)).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and keep nothing of their own
        <div key={index}>{line || "\u00a0"}</div>
      ))}
    </div>
  );
}

export function Labels({ items, template }: { items: readonly Item[]; template: Template }) {
  const { width, height, onSheet } = template;
  usePageSize(onSheet ? undefined : `${width}mm ${height}mm`);
  return (
    <div className={onSheet ? "item-labels on-sheet" : "item-labels"}>
      {items.map((item) => (
        <LabelOf key={item.id} item={item} template={template} />
      ))}
    </div>
  );
}

/** The size of the paper while this stands in the page. By a sheet of its own: the server forbids pages to bring `<style>` elements. */
function usePageSize(size: string | undefined) {
  useLayoutEffect(() => {
    if (size === undefined) return;
    const sheet = new CSSStyleSheet();
    sheet.insertRule(`@page { size: ${size}; margin: 0 }`);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [size]);
}
