/** Loads the reference data whose values mapping expressions may name. */

import { useQueries } from "@tanstack/react-query";
import type { ListPath } from "../../api/inventory.ts";
import { CHOICE_LISTS } from "../../api/inventory-lists.ts";
import type { MapSection, ValueSource } from "./fields.ts";
import type { AcceptedValues } from "./mapping.ts";

const listPaths = (sections: readonly MapSection[]) => [
  ...new Set(
    sections
      .flatMap(({ fields }) => fields)
      .flatMap((spec) => (spec.is === "list" ? spec.parts : [spec]))
      .flatMap(({ from }) => (typeof from === "string" ? [from] : [])),
  ),
];

/** For each list: its names, and its names by id. Lists that are not loaded or not permitted are empty. */
export function useValueSources(sections: readonly MapSection[]): {
  names: (from: ValueSource | undefined) => readonly string[];
  accepted: AcceptedValues;
} {
  const paths = listPaths(sections);
  const found = useQueries({ queries: paths.map((path) => ({ ...CHOICE_LISTS[path], retry: false })) });
  const lists = new Map<ListPath, readonly { id: string; name: string }[]>(
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
