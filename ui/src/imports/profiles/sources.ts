/** The lists of the library whose values the fields of mapping profiles may name. */

import { useQueries } from "@tanstack/react-query";
import type { NamedPath } from "../../api/inventory.ts";
import { CHOICES } from "../../api/inventory-lists.ts";
import type { MapSection, Source } from "./fields.ts";
import type { Accepted } from "./mapping.ts";

const pathsOf = (sections: readonly MapSection[]) => [
  ...new Set(
    sections
      .flatMap(({ fields }) => fields)
      .flatMap((spec) => (spec.is === "list" ? spec.parts : [spec]))
      .flatMap(({ from }) => (typeof from === "string" ? [from] : [])),
  ),
];

/** Of each list the names, and the ids with their names. What is not there yet, or may not be read, is left out. */
export function useSources(sections: readonly MapSection[]): {
  names: (from: Source | undefined) => readonly string[];
  accepted: Accepted;
} {
  const paths = pathsOf(sections);
  const found = useQueries({ queries: paths.map((path) => ({ ...CHOICES[path], retry: false })) });
  const lists = new Map<NamedPath, readonly { id: string; name: string }[]>(
    paths.map((path, index) => [path, found[index]?.data ?? []]),
  );
  return {
    names: (from) => (typeof from === "string" ? (lists.get(from)?.map(({ name }) => name) ?? []) : (from ?? [])),
    accepted: (from) => {
      const list = typeof from === "string" ? lists.get(from) : undefined;
      return list?.length ? Object.fromEntries(list.map(({ id, name }) => [id, name])) : undefined;
    },
  };
}
