/** What the server refuses, in the language of the desk; what is not known here is shown as the server words it. */

import type { Refusal } from "../api/http.ts";
import type { Words } from "../words/en.ts";
import { CODES, KNOWN, type RefusalKey } from "./known.ts";

export interface RefusalWords {
  says: Record<RefusalKey, string>;
  /** For a message that is not known. */
  asServerSays: (message: string) => string;
  /** For a block that a limit has brought about: its message is the library's own. */
  limitReached: (message: string) => string;
  /** A value inside a sentence. */
  named: (value: string) => string;
  /** What stands in the braces of a message, where it is a term and not a name. */
  terms: Record<string, string>;
}

/** `{name}` in a message stands for anything; what is named `rest` may be nothing. */
function pattern(message: string): RegExp {
  const parts = message.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return part === "rest" || part === "kind" ? `(?<${part}>.*)` : `(?<${part}>.+)`;
  });
  return new RegExp(`^${parts.join("")}$`, "is");
}

const PATTERNS = Object.entries(KNOWN).flatMap(([key, messages]) =>
  messages.map((message) => ({ key: key as RefusalKey, matches: pattern(message) })),
);

/** Which refusal it is, and what its message and parameters name. */
export function recognised(
  refusal: Pick<Refusal, "message" | "code" | "parameters">,
): { key: RefusalKey; values: Record<string, string> } | undefined {
  const { message, code = "", parameters = [] } = refusal;
  const found = PATTERNS.find(({ matches }) => matches.test(message));
  const key = CODES[code] ?? found?.key;
  if (key === undefined) return undefined;
  const named = parameters.map(({ key, value }) => [key, value ?? ""]);
  const values = {
    ...Object.fromEntries(named),
    field: parameters[0]?.key ?? "",
    ...found?.matches.exec(message)?.groups,
  };
  return { key, values };
}

/** Each reason once. Until the words of refusals have come, right after the start, the server's own stand there. */
export function refusalTexts(refusals: readonly Refusal[], words: Words): string[] {
  const said = new Set(refusals.map((refusal) => textOf(refusal, words)).filter(Boolean));
  return said.size === 0 ? [words.errors.refused] : [...said];
}

function textOf(refusal: Refusal, words: Words): string {
  const { message, isWorded, overridableBlock } = refusal;
  const { refusals } = words;
  if (refusals === undefined || isWorded || message === "") return message;
  const known = recognised(refusal);
  if (known) return filled(refusals.says[known.key], known.values, words);
  // A block without a message of FOLIO's is one of a limit, in words that the library has chosen.
  return overridableBlock?.name === "patronBlock" ? refusals.limitReached(message) : refusals.asServerSays(message);
}

function filled(text: string, values: Record<string, string>, words: Words): string {
  const term = (value: string) =>
    words.statuses[value] ??
    words.requestTypes[value] ??
    words.refusals?.terms[value] ??
    words.refusals?.named(value) ??
    value;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => term(values[name] ?? "…"));
}

/** Several reasons one after the other, each a sentence. */
export function inOneLine(said: readonly string[]): string {
  return said.map((reason) => (/[.!?:؟]$/.test(reason) || said.length === 1 ? reason : `${reason}.`)).join(" ");
}
