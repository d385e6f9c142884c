/** How permissions follow from permission sets, which may contain other sets. */

import type { Permission } from "../api/settings-permissions.ts";

export type Catalogue = ReadonlyMap<string, Permission>;

/**
 * For every permission that follows from the assigned ones: the chain of sets from the assigned one down to the
 * permission.
 */
export function permissionPaths(given: readonly string[], all: Catalogue): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>(given.map((name) => [name, [name]]));
  // A breadth-first search, so that the shortest chain is found.
  const waiting = [...given];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    for (const inner of all.get(name)?.subPermissions ?? []) {
      if (found.has(inner)) continue;
      found.set(inner, [...(found.get(name) ?? []), inner]);
      waiting.push(inner);
    }
  }
  return found;
}

/** The permission sets that contain a permission, the library's roles first. */
export function containingSets(name: string, all: Catalogue): Permission[] {
  return [...all.values()]
    .filter(({ subPermissions = [] }) => subPermissions.includes(name))
    .sort((one, other) => Number(other.mutable ?? false) - Number(one.mutable ?? false));
}

export const permissionLabel = (name: string, all: Catalogue) => all.get(name)?.displayName || name;
