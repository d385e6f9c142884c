/**
 * Fills in a staff slip's template, HTML with tokens such as `{{item.title}}`. Filled-in values stay text, and only
 * simple HTML elements are kept.
 */

import type { SlipContext } from "../api/records.ts";

const ALLOWED_TAGS = new Set(
  "B BR DIV EM H1 H2 H3 H4 HR I LI OL P S SMALL SPAN STRONG SUB SUP TABLE TBODY TD TH TR U UL".split(" "),
);

export function fillTemplate(template: string, context: SlipContext): DocumentFragment {
  const parsed = new DOMParser().parseFromString(template, "text/html");
  const fragment = document.createDocumentFragment();
  for (const child of parsed.body.childNodes) fragment.append(...sanitizeNode(child, context));
  return fragment;
}

function sanitizeNode(node: Node, context: SlipContext): Node[] {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(fillTokens(node.textContent ?? "", context))];
  if (!(node instanceof HTMLElement) || ["SCRIPT", "STYLE"].includes(node.tagName)) return [];
  const children = [...node.childNodes].flatMap((child) => sanitizeNode(child, context));
  if (!ALLOWED_TAGS.has(node.tagName)) return children;
  const element = document.createElement(node.tagName);
  element.append(...children);
  return [element];
}

function fillTokens(text: string, context: SlipContext): string {
  return text.replace(/\{\{\{?\s*([\w.]+)\s*\}?\}\}/g, (_, path: string) => {
    const value = path
      .split(".")
      .reduce<unknown>((at, member) => (at as Record<string, unknown> | undefined)?.[member], context);
    return value === undefined || value === null ? "" : String(value);
  });
}
