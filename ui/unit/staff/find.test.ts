import { expect, test } from "vitest";
import type { Permission } from "../../src/api/settings-permissions.ts";
import { permissionsToAssign } from "../../src/staff/find.ts";

const catalogue = (permissions: Permission[]) => new Map(permissions.map((one) => [one.permissionName, one]));

const ROLES = Array.from({ length: 40 }, (_, at) => ({
  id: `role-${at}`,
  permissionName: `role-${at}`,
  displayName: `Desk ${String(40 - at).padStart(2, "0")}`,
  mutable: true,
}));
const ALL = catalogue([...ROLES, { id: "get", permissionName: "users.item.get", displayName: "Read a user" }]);

test("all roles that a user does not have are offered by name while nothing is typed", () => {
  const { offered, more } = permissionsToAssign(" ", ["role-39"], ALL);
  expect([offered.length, more]).toEqual([39, 0]);
  expect(offered[0]?.displayName).toBe("Desk 02");
});

test("of many permissions that are found, the number of those that are not shown is known", () => {
  const { offered, more } = permissionsToAssign("Desk", [], ALL);
  expect([offered.length, more]).toEqual([25, 15]);
  expect(permissionsToAssign("User read", [], ALL).offered.map(({ permissionName }) => permissionName)).toEqual([
    "users.item.get",
  ]);
});
