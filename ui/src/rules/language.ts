/** The syntax of the circulation rules, as far as colours and the line in words need it. */

import type { Words } from "../words/en.ts";

type TokenKind = "remark" | "key" | "id" | "sign" | "plain";

const TOKEN =
  /("(?:[^"\\]|\\.)*"?|[0-9a-f]{8}-[0-9a-f-]{27})|(#.*|\/.*)|(priority|fallback-policy|\b[a-z]\b(?=\s))|([:+!,])/gi;

export function splitTokens(line: string): [TokenKind, string][] {
  const parts: [TokenKind, string][] = [];
  let at = 0;
  for (const match of line.matchAll(TOKEN)) {
    if (match.index > at) parts.push(["plain", line.slice(at, match.index)]);
    const kinds: TokenKind[] = ["id", "remark", "key", "sign"];
    parts.push([kinds.find((_, index) => match[index + 1] !== undefined) ?? "plain", match[0]]);
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push(["plain", line.slice(at)]);
  return parts;
}

/**
 * A line in words: letters become the names of criteria and policies, ids become names in quotation marks of the
 * language.
 */
export function lineInWords(line: string, names: ReadonlyMap<string, string>, words: Words): string {
  if (/^\s*(#|\/|priority|$)/.test(line)) return "";
  const letters = words.rules.letters as Record<string, string>;
  return splitTokens(line)
    .filter(([kind]) => kind !== "remark")
    .map(([kind, part]) => {
      if (kind === "key")
        return part === "fallback-policy" ? words.rules.fallback : (letters[part.toLowerCase()] ?? part);
      if (kind === "id") {
        const name = part.startsWith('"') ? part.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1") : names.get(part);
        return `“${name ?? part}”`;
      }
      return part === "+" ? words.rules.and : part;
    })
    .join("")
    .trim();
}
