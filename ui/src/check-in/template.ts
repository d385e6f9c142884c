/** A staff slip, which is HTML with `{{item.title}}` and the like in it: what is filled in stays text, and only plain marks stay. */

import type { SlipContext } from "../api/records.ts";

const KEPT = new Set(
  "B BR DIV EM H1 H2 H3 H4 HR I LI OL P S SMALL SPAN STRONG SUB SUP TABLE TBODY TD TH TR U UL".split(" "),
);

export function filledIn(template: string, context: SlipContext): DocumentFragment {
  const parsed = new DOMParser().parseFromString(template, "text/html");
  const fragment = document.createDocumentFragment();
  for (const child of parsed.body.childNodes) fragment.append(...kept(child, context));
  return fragment;
}

function kept(node: Node, context: SlipContext): Node[] {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(filled(node.textContent ?? "", context))];
  if (!(node instanceof HTMLElement) || ["SCRIPT", "STYLE"].includes(node.tagName)) return [];
  const children = [...node.childNodes].flatMap((child) => kept(child, context));
  if (!KEPT.has(node.tagName)) return children;
  const element = document.createElement(node.tagName);
  element.append(...children);
  return [element];
}

function filled(text: string, context: SlipContext): string {
  return text.replace(/\{\{\{?\s*([\w.]+)\s*\}?\}\}/g, (_, path: string) => {
    const value = path
      .split(".")
      .reduce<unknown>((at, member) => (at as Record<string, unknown> | undefined)?.[member], context);
    return value === undefined || value === null ? "" : String(value);
  });
}
