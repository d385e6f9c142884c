/** Sets of permissions that a library has put together: mod-permissions' mutable ones. */

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
  see: "perms.permissions.get",
  blank: { mutable: true, visible: true, subPermissions: [] },
  sections: (words) => [nameAndDescription(words, "displayName")],
  // Members that the server adds to its answer are refused when they are sent back.
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
