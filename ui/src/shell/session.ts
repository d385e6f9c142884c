/** The signed-in user and the service point. The tokens are cookies that no script can read. */

import type { QueryClient } from "@tanstack/react-query";
import { ask, askWith, onSignInNeeded, Refused, SignedOut, Unreachable } from "../api/http.ts";
import { learnAtTheDesk, libraryLocale } from "../api/library.ts";
import type { ServicePoint, User } from "../api/records.ts";
import { DONE, outcomeOf, withoutOutcome } from "../api/sign-on.ts";
import { broughtAlong, forget, given, givenTo, oneAtATime, onOtherTab } from "../api/tokens.ts";
import { callFor, onReached, send } from "../api/wire.ts";
import { unpackAll } from "../offline/luggage.ts";
import { store } from "./store.ts";

export interface Member {
  user: User;
  permissions: Set<string>;
  servicePoints: ServicePoint[];
  defaultServicePoint: string | undefined;
}

type State =
  | { is: "asking" }
  | { is: "out" }
  /** Signed out while at work: what is on the screen stays, under the question for the password. */
  | { is: "in"; member: Member; expired: boolean };

export const session = store<State>({ is: "asking" });

/** Remembered: the library, and the desk at which this browser stands. */
export const place = store<{ tenant?: string; servicePoint?: string }>(
  {},
  { name: "octavo.place", in: () => localStorage },
);

/** Whether the server could be reached at the last attempt. */
export const connection = store<{ up: boolean }>({ up: true });

const PROBE_MS = 2_000;
let probing = false;

onReached((up) => {
  if (connection.get().up !== up) connection.set({ up });
  if (up || probing) return;
  // If nobody does anything, only this finds out that the connection is back.
  probing = true;
  setTimeout(() => {
    probing = false;
    if (!connection.get().up) void send("/_/proxy/health", { patience: PROBE_MS }).catch(() => {});
  }, PROBE_MS);
});

/** Calls that wait until whoever was signed in is so again. */
let again: PromiseWithResolvers<void> | undefined;

onSignInNeeded(() => {
  const now = session.get();
  if (now.is !== "in") {
    session.set({ is: "out" });
    return Promise.reject(new SignedOut());
  }
  if (!now.expired) session.set({ ...now, expired: true });
  again ??= Promise.withResolvers();
  return again.promise;
});

interface Self {
  user: User;
  permissions?: { permissions: { permissionName: string }[] };
  servicePointsUser?: { servicePoints?: ServicePoint[]; defaultServicePointId?: string };
}

/** Takes up the work where the cookies still hold. */
export async function resume(client: QueryClient): Promise<void> {
  const { tenant } = place.get();
  callFor(tenant);
  followOtherTabs(client);
  if (tenant === undefined) return session.set({ is: "out" });
  const hasComeBack = outcomeOf(location.href) === DONE;
  if (hasComeBack) broughtAlong();
  try {
    await enter(client);
    if (hasComeBack) history.replaceState(history.state, "", withoutOutcome(location.href));
  } catch (error) {
    const known = error instanceof Unreachable ? remembered.get() : null;
    if (known === null) return session.set({ is: "out" });
    client.setQueryData(libraryLocale.queryKey, known.locale);
    session.set({ is: "in", expired: false, member: { ...known, permissions: new Set(known.permissions) } });
  }
}

/** The last signed-in user, for a desk that is opened without a connection. The server still decides what they may do. */
const remembered = store<(Omit<Member, "permissions"> & { permissions: string[]; locale: object }) | null>(null, {
  name: "octavo.member",
  in: () => localStorage,
});

/** A log-in, log-out or change of user in another tab applies to this one as well. */
function followOtherTabs(client: QueryClient): void {
  onOtherTab((user) => {
    const now = session.get();
    if (now.is !== "in") return;
    if (user === undefined) session.set({ ...now, expired: true });
    else if (now.expired || user !== now.member.user.id) void enter(client).catch(() => {});
  });
}

export async function signIn(client: QueryClient, tenant: string, username: string, password: string): Promise<void> {
  callFor(tenant);
  const body = { username, password };
  await oneAtATime(async () =>
    given(await askWith("/authn/login-with-expiry", { method: "POST", body, token: "none" })),
  );
  place.set((now) => ({ ...now, tenant }));
  await enter(client);
}

export async function signOut(): Promise<void> {
  await oneAtATime(() => ask("/authn/logout", { method: "POST", token: "none" })).catch(() => {});
  forget();
  sessionStorage.clear();
  await unpackAll();
  remembered.set(null);
  // A new page, so that nothing of this one's stays in memory for whoever comes next.
  location.assign("/desk");
}

async function enter(client: QueryClient): Promise<void> {
  const before = session.get();
  const self = await ask<Self>("/bl-users/_self?include=servicepoints", { token: "now" });
  const isOther = before.is === "in" && before.member.user.id !== self.user.id;
  // Another user at the same screen must not see the data of the first one.
  if (isOther) client.clear();
  const [permissions] = await Promise.all([
    permissionsOf(self.user),
    client.prefetchQuery(libraryLocale),
    learnAtTheDesk(),
  ]);
  const servicePoints = self.servicePointsUser?.servicePoints ?? [];
  session.set({
    is: "in",
    expired: false,
    member: {
      user: self.user,
      permissions,
      servicePoints,
      defaultServicePoint: self.servicePointsUser?.defaultServicePointId,
    },
  });
  givenTo(self.user.id);
  // Calls that the first user has begun are not repeated in the other's name.
  if (isOther) again?.reject(new SignedOut());
  else again?.resolve();
  again = undefined;
  remembered.set({
    user: self.user,
    permissions: [...permissions],
    servicePoints,
    defaultServicePoint: self.servicePointsUser?.defaultServicePointId,
    locale: client.getQueryData(libraryLocale.queryKey) ?? {},
  });
  const { servicePoint } = place.get();
  const allowed = (id: string | undefined) => servicePoints.some((one) => one.id === id);
  if (!allowed(servicePoint)) {
    place.set(({ tenant }) => ({
      ...(tenant === undefined ? {} : { tenant }),
      // With one desk there is nothing to ask.
      ...(servicePoints.length === 1 && servicePoints[0] ? { servicePoint: servicePoints[0].id } : {}),
    }));
  }
}

/** A user's permissions, with those that they contain. The short answer needs a permission itself; everybody may ask for the long one. */
async function permissionsOf(user: User): Promise<Set<string>> {
  try {
    const path = `/perms/users/${user.id}/permissions?indexField=userId&expanded=true`;
    return new Set((await ask<{ permissionNames: string[] }>(path)).permissionNames);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const self = await ask<Self>("/bl-users/_self?include=perms&expandPermissions=true").catch((refused) => {
      // Nothing is found for a user who was never given permissions.
      if (refused instanceof Refused && refused.status === 404) return undefined;
      throw refused;
    });
    return new Set(self?.permissions?.permissions.map((one) => one.permissionName));
  }
}

export function useMember(): Member {
  const now = session.use();
  if (now.is !== "in") throw new Error("nobody is signed in");
  return now.member;
}

/** Whether the member may do all of this. The server decides; this only keeps useless buttons away. */
export function useMay(): (...permissions: string[]) => boolean {
  const { permissions } = useMember();
  return (...needed) => needed.every((one) => permissions.has(one));
}

export function useServicePoint(): ServicePoint | undefined {
  const { servicePoint } = place.use();
  return useMember().servicePoints.find(({ id }) => id === servicePoint);
}
