/** Roles: permission sets made by the library (mutable ones of mod-permissions). */

import type { Kind } from "../kind.ts";
import { nameAndDescription } from "./units.ts";

export const roles: Kind = {
  name: "roles",
  slug: "roles",
  path: "/perms/permissions",
  collection: "permissions",
  query: "mutable==true",
  title: "displayName",
  rights: "perms.permissions",
  viewPermission: "perms.permissions.get",
  blank: { mutable: true, visible: true, subPermissions: [] },
  sections: (words) => [nameAndDescription(words, "displayName")],
  // Only these members are sent: the server refuses those that it adds to its answers.
  write: ({ id, permissionName, displayName, description, subPermissions, tags = [] }) => ({
    ...(id !== undefined && { id, permissionName }),
    displayName,
    description,
    subPermissions,
    tags,
    mutable: true,
    visible: true,
  }),
  summary: ({ subPermissions = [] }, words) => words.permissions.holds((subPermissions as string[]).length),
};
