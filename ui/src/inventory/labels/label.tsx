/** A label as it is printed. */

import { useLayoutEffect } from "react";
import type { Item } from "../../api/inventory.ts";
import { labelFacts, labelLines, type Template } from "./template.ts";

export function ItemLabel({ item, template }: { item: Item; template: Template }) {
  const { width, height, size, text } = template;
  return (
    <div
      className="item-label"
      dir="auto"
      style={{ width: `${width}mm`, height: `${height}mm`, fontSize: `${size}pt` }}
    >
      {labelLines(text, labelFacts(item)).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and keep nothing of their own
        <div key={index}>{line || "\u00a0"}</div>
      ))}
    </div>
  );
}

export function ItemLabels({ items, template }: { items: readonly Item[]; template: Template }) {
  const { width, height, onSheet } = template;
  usePageSize(onSheet ? undefined : `${width}mm ${height}mm`);
  return (
    <div className={onSheet ? "item-labels on-sheet" : "item-labels"}>
      {items.map((item) => (
        <ItemLabel key={item.id} item={item} template={template} />
      ))}
    </div>
  );
}

/**
 * Sets the paper size while the labels are in the page. By a constructed style sheet, since the server's content
 * security policy forbids `<style>` elements.
 */
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
