/** Finds permissions by words of their names. */

import type { Permission } from "../api/settings-permissions.ts";
import { type Catalogue, permissionLabel } from "./reach.ts";

/** At most so many permissions found are shown. */
export const MAX_ANSWERS = 25;

export function findPermissions(text: string, all: Catalogue): Permission[] {
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (parts.length === 0) return [];
  return [...all.values()].filter(({ permissionName, displayName = "" }) => {
    const said = `${permissionName} ${displayName}`.toLowerCase();
    return parts.every((part) => said.includes(part));
  });
}

/**
 * The permissions to offer for a user who has some already. While nothing is typed these are the roles of the library,
 * all of them. `more`: how many were found besides.
 */
export function permissionsToAssign(
  text: string,
  given: readonly string[],
  all: Catalogue,
): { offered: Permission[]; more: number } {
  const open = [...all].filter(([name, { deprecated }]) => !deprecated && !given.includes(name));
  if (text.trim() === "") {
    const label = ({ permissionName }: Permission) => permissionLabel(permissionName, all);
    const roles = open.map(([, permission]) => permission).filter(({ mutable }) => mutable);
    return { offered: roles.sort((one, other) => label(one).localeCompare(label(other))), more: 0 };
  }
  const found = findPermissions(text, new Map(open));
  return { offered: found.slice(0, MAX_ANSWERS), more: Math.max(0, found.length - MAX_ANSWERS) };
}
