/** Finds the lines of the circulation rules that name a record. */

import { useQuery } from "@tanstack/react-query";
import { rulesText } from "../api/settings.ts";
import { useMay } from "../shell/session.ts";

/** Line numbers by id, in lower case; undefined while the rules load, and without the permission to read them. */
export function useRuleLines(): ReadonlyMap<string, readonly number[]> | undefined {
  const may = useMay();
  const text = useQuery({ ...rulesText, enabled: may("circulation.rules.get") }).data?.rulesAsText;
  return text === undefined ? undefined : ruleLinesById(text);
}

export function ruleLinesById(rules: string): ReadonlyMap<string, readonly number[]> {
  const lines = new Map<string, number[]>();
  rules.split("\n").forEach((line, index) => {
    const said = line.replace(/[#/].*/, "");
    for (const [found] of said.matchAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi)) {
      const id = found.toLowerCase();
      lines.set(id, [...(lines.get(id) ?? []), index + 1]);
    }
  });
  return lines;
}
