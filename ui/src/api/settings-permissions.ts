/** Queries about permissions and the sets that contain them. */

import { queryOptions } from "@tanstack/react-query";
import { ask, Refused } from "./http.ts";
import type { CredentialsExistence } from "./octavo.ts";

export interface Permission {
  id: string;
  permissionName: string;
  displayName?: string;
  description?: string;
  subPermissions?: string[];
  /** Made by people: a role of this library. */
  mutable?: boolean;
  visible?: boolean;
  deprecated?: boolean;
}

/** All that there are, some fifteen hundred. */
export const allPermissions = queryOptions({
  queryKey: ["permissions"],
  staleTime: 300_000,
  queryFn: async () => {
    const { permissions } = await ask<{ permissions: Permission[] }>("/perms/permissions", {
      query: { limit: 10_000 },
    });
    // Permissions that modules give each other cannot be assigned.
    const people = permissions.filter(({ permissionName }) => !/^(modperms\.|SYS#)/.test(permissionName));
    return new Map(people.map((one) => [one.permissionName, one]));
  },
});

/** The permissions that were assigned to a user; undefined if none ever was. */
export const grantsOf = (userId: string) =>
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

export async function grant(userId: string, permissionName: string, isFirst: boolean): Promise<void> {
  if (isFirst) await ask("/perms/users", { method: "POST", body: { userId, permissions: [permissionName] } });
  else {
    const path = `/perms/users/${userId}/permissions?indexField=userId`;
    await ask(path, { method: "POST", body: { permissionName } });
  }
}

export const withdraw = (userId: string, permissionName: string) =>
  ask(`/perms/users/${userId}/permissions/${encodeURIComponent(permissionName)}?indexField=userId`, {
    method: "DELETE",
  });

/** The codes of the library's password rules that a password breaks. */
export async function passwordProblems(userId: string, password: string): Promise<string[]> {
  const answer = await ask<{ result: string; messages?: string[] }>("/password/validate", {
    method: "POST",
    body: { userId, password },
  });
  return answer.result === "valid" ? [] : (answer.messages ?? []);
}

/** Instead of the one before, if there was one. */
export async function setPassword(userId: string, username: string, password: string): Promise<void> {
  const { credentialsExist } = await ask<CredentialsExistence>("/authn/credentials-existence", {
    query: { userId },
  });
  if (credentialsExist) await ask(`/authn/credentials?userId=${userId}`, { method: "DELETE" });
  await ask("/authn/credentials", { method: "POST", body: { userId, username, password } });
}

/** Sends somebody an e-mail with a link by which they choose a password themselves; the link is answered as well. */
export const sendPasswordLink = (userId: string) =>
  ask<{ link: string }>("/bl-users/password-reset/link", { method: "POST", body: { userId } });

const byLink = (tenant: string, token: string) => ({
  token: "none" as const,
  withoutCookies: true,
  headers: { "x-okapi-tenant": tenant, "x-okapi-token": token },
  method: "POST" as const,
});

/** Refused once the link has been used, or its time is over. */
export const checkPasswordLink = (tenant: string, token: string) =>
  ask("/bl-users/password-reset/validate", byLink(tenant, token));

export const setPasswordByLink = (tenant: string, token: string, newPassword: string) =>
  ask("/bl-users/password-reset/reset", { ...byLink(tenant, token), body: { newPassword } });
