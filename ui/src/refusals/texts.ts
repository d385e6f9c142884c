/**
 * Translates the server's refusals into the language of the desk; an unknown refusal is shown in the server's words.
 */

import type { Refusal } from "../api/http.ts";
import type { Words } from "../words/en.ts";
import { REFUSAL_CODES, REFUSAL_MESSAGES, type RefusalKey } from "./known.ts";

export interface RefusalWords {
  says: Record<RefusalKey, string>;
  /** Shows a message that is not known. */
  asServerSays: (message: string) => string;
  /** Shows a block that comes from a limit, whose message the library has written. */
  limitReached: (message: string) => string;
  /** Marks a value within a sentence as a name, e.g. by quotation marks. */
  named: (value: string) => string;
  /** Translations of values in braces that are terms, not names. */
  terms: Record<string, string>;
}

/** A regular expression for a message: `{name}` stands for any text; the text of `rest` and `kind` may be empty. */
function toPattern(message: string): RegExp {
  const parts = message.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return part === "rest" || part === "kind" ? `(?<${part}>.*)` : `(?<${part}>.+)`;
  });
  return new RegExp(`^${parts.join("")}$`, "is");
}

const REFUSAL_PATTERNS = Object.entries(REFUSAL_MESSAGES).flatMap(([key, messages]) =>
  messages.map((message) => ({ key: key as RefusalKey, matches: toPattern(message) })),
);

/** Recognises a refusal, and reads the values in its message and parameters. */
export function recogniseRefusal(
  refusal: Pick<Refusal, "message" | "code" | "parameters">,
): { key: RefusalKey; values: Record<string, string> } | undefined {
  const { message, code = "", parameters = [] } = refusal;
  const found = REFUSAL_PATTERNS.find(({ matches }) => matches.test(message));
  const key = REFUSAL_CODES[code] ?? found?.key;
  if (key === undefined) return undefined;
  const named = parameters.map(({ key, value }) => [key, value ?? ""]);
  const values = {
    ...Object.fromEntries(named),
    field: parameters[0]?.key ?? "",
    ...found?.matches.exec(message)?.groups,
  };
  return { key, values };
}

/**
 * The text of each refusal, each once. Until the translations are loaded, just after the start, the server's messages
 * are shown.
 */
export function refusalTexts(refusals: readonly Refusal[], words: Words): string[] {
  const said = new Set(refusals.map((refusal) => refusalText(refusal, words)).filter(Boolean));
  return said.size === 0 ? [words.errors.refused] : [...said];
}

function refusalText(refusal: Refusal, words: Words): string {
  const { message, isWorded, overridableBlock } = refusal;
  const { refusals } = words;
  if (refusals === undefined || isWorded || message === "") return message;
  const known = recogniseRefusal(refusal);
  if (known) return fillMessage(refusals.says[known.key], known.values, words);
  // A patron block with an unknown message comes from a limit, and the library has written the message.
  return overridableBlock?.name === "patronBlock" ? refusals.limitReached(message) : refusals.asServerSays(message);
}

function fillMessage(text: string, values: Record<string, string>, words: Words): string {
  const term = (value: string) =>
    words.statuses[value] ??
    words.requestTypes[value] ??
    words.refusals?.terms[value] ??
    words.refusals?.named(value) ??
    value;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => term(values[name] ?? "…"));
}

/** Joins several reasons, each as a sentence. */
export function joinReasons(said: readonly string[]): string {
  return said.map((reason) => (/[.!?:؟]$/.test(reason) || said.length === 1 ? reason : `${reason}.`)).join(" ");
}
