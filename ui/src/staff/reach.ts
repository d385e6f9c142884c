/** How permissions follow from others: sets hold sets. */

import type { Permission } from "../api/settings-permissions.ts";

export type Catalogue = ReadonlyMap<string, Permission>;

/** For everything that follows from these: the way to it, from what was given down to itself. */
export function ways(given: readonly string[], all: Catalogue): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>(given.map((name) => [name, [name]]));
  // The shortest way first.
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

/** The sets that hold it, roles of the library first. */
export function holders(name: string, all: Catalogue): Permission[] {
  return [...all.values()]
    .filter(({ subPermissions = [] }) => subPermissions.includes(name))
    .sort((one, other) => Number(other.mutable ?? false) - Number(one.mutable ?? false));
}

export const called = (name: string, all: Catalogue) => all.get(name)?.displayName || name;
