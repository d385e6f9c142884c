/** A record as it is sent: texts without blanks around them, and nothing for what was left empty. */

import { at, put } from "../../settings/draft.ts";
import { finishedLinks, type Link } from "../linked/relations.ts";
import type { Part, Spec, Stored } from "./spec.ts";

/** What these fields do not show goes back as it came. */
export function finished(record: Stored, specs: readonly Spec[]): Stored {
  return specs.reduce<Stored>((now, spec) => put(now, spec.at, value(spec, at(now, spec.at))), record);
}

function value(spec: Spec, said: unknown): unknown {
  if (typeof said === "string") return said.trim() || undefined;
  if (!Array.isArray(said)) return said;
  if (spec.is === "titles") return finishedLinks(said as Link[], spec);
  if (spec.is === "list") return (said as Stored[]).map(trimmed).filter((line) => isFilled(line, spec.parts));
  const texts = (said as string[]).map((text) => text.trim()).filter(Boolean);
  return spec.is === "tags" ? [...new Set(texts.map((tag) => tag.toLowerCase()))] : texts;
}

function trimmed(line: Stored): Stored {
  const members = Object.entries(line)
    .map(([name, said]) => [name, typeof said === "string" ? said.trim() : said] as const)
    .filter(([, said]) => said !== "" && said !== undefined);
  return Object.fromEntries(members);
}

/** Whether somebody has written in a line: what a new line brings along by itself does not count. */
export function isFilled(line: Stored, parts: readonly Part[]): boolean {
  return parts.some(({ is, at }) => is === "text" && typeof line[at] === "string" && line[at].trim() !== "");
}

/** Whether anything would be sent that is not stored. */
export function differs(record: Stored, stored: Stored, specs: readonly Spec[]): boolean {
  return canonical(finished(record, specs)) !== canonical(finished(stored, specs));
}

/** The same text for the same content, in whatever order its members stand. Empty lists count as none. */
function canonical(said: unknown): string {
  return JSON.stringify(said, (_, part: unknown) => {
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    const members = Object.entries(part).filter(([, one]) => !(Array.isArray(one) && one.length === 0));
    return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** Whether a record says anything in one of these fields. */
export function saysAnything(record: Stored, specs: readonly Spec[]): boolean {
  return specs.some((spec) => {
    const said = at(record, spec.at);
    return Array.isArray(said) ? said.length > 0 : said !== undefined && said !== false && said !== "";
  });
}
