/** Queries about permissions and permission sets. */

import { queryOptions } from "@tanstack/react-query";
import { ask, Refused } from "./http.ts";
import type { CredentialsExistence } from "./octavo.ts";

export interface Permission {
  id: string;
  permissionName: string;
  displayName?: string;
  description?: string;
  subPermissions?: string[];
  /** A permission set that the library has made, not one of a module: a role. */
  mutable?: boolean;
  visible?: boolean;
  deprecated?: boolean;
}

/** All assignable permissions and permission sets by name, about 1,500. */
export const allPermissions = queryOptions({
  queryKey: ["permissions"],
  staleTime: 300_000,
  queryFn: async () => {
    const { permissions } = await ask<{ permissions: Permission[] }>("/perms/permissions", {
      query: { limit: 10_000 },
    });
    // Names that begin with `modperms.` or `SYS#` belong to modules and cannot be assigned to users.
    const people = permissions.filter(({ permissionName }) => !/^(modperms\.|SYS#)/.test(permissionName));
    return new Map(people.map((one) => [one.permissionName, one]));
  },
});

/** The permissions that were assigned to a user directly; null if the user never had any. */
export const assignedPermissions = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "permissions"],
    queryFn: async (): Promise<string[] | null> => {
      try {
        return (await ask<{ permissions: string[] }>(`/perms/users/${userId}`, { query: { indexField: "userId" } }))
          .permissions;
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return null;
        throw error;
      }
    },
  });

export async function assignPermission(userId: string, permissionName: string, isFirst: boolean): Promise<void> {
  if (isFirst) await ask("/perms/users", { method: "POST", body: { userId, permissions: [permissionName] } });
  else {
    const path = `/perms/users/${userId}/permissions?indexField=userId`;
    await ask(path, { method: "POST", body: { permissionName } });
  }
}

export const unassignPermission = (userId: string, permissionName: string) =>
  ask(`/perms/users/${userId}/permissions/${encodeURIComponent(permissionName)}?indexField=userId`, {
    method: "DELETE",
  });

/** Returns the codes of the library's password rules that a password breaks. */
export async function passwordProblems(userId: string, password: string): Promise<string[]> {
  const answer = await ask<{ result: string; messages?: string[] }>("/password/validate", {
    method: "POST",
    body: { userId, password },
  });
  return answer.result === "valid" ? [] : (answer.messages ?? []);
}

/** Sets a user's password; an earlier one is deleted first. */
export async function setPassword(userId: string, username: string, password: string): Promise<void> {
  const { credentialsExist } = await ask<CredentialsExistence>("/authn/credentials-existence", {
    query: { userId },
  });
  if (credentialsExist) await ask(`/authn/credentials?userId=${userId}`, { method: "DELETE" });
  await ask("/authn/credentials", { method: "POST", body: { userId, username, password } });
}

/** Sends a user an e-mail with a link to choose a password; the link is returned, too. */
export const sendPasswordLink = (userId: string) =>
  ask<{ link: string }>("/bl-users/password-reset/link", { method: "POST", body: { userId } });

const passwordLinkCall = (tenant: string, token: string) => ({
  token: "none" as const,
  withoutCookies: true,
  headers: { "x-okapi-tenant": tenant, "x-okapi-token": token },
  method: "POST" as const,
});

/** Checks a password link. The server refuses it once it has been used or has expired. */
export const checkPasswordLink = (tenant: string, token: string) =>
  ask("/bl-users/password-reset/validate", passwordLinkCall(tenant, token));

export const setPasswordByLink = (tenant: string, token: string, newPassword: string) =>
  ask("/bl-users/password-reset/reset", { ...passwordLinkCall(tenant, token), body: { newPassword } });
