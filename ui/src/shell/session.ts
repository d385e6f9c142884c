/** The signed-in staff member and their service point. The tokens are in cookies that no script can read. */

import type { QueryClient } from "@tanstack/react-query";
import { ask, askWithHeaders, onSignInNeeded, Refused, SignedOut, Unreachable } from "../api/http.ts";
import { libraryLocale, loadDeskSettings } from "../api/library.ts";
import type { ServicePoint, User } from "../api/records.ts";
import { SIGNED_ON, signOnOutcome, withoutOutcome } from "../api/sign-on.ts";
import {
  forgetTokens,
  noteNewTokens,
  noteSignOnTokens,
  noteTokenOwner,
  onOtherTabSignIn,
  withTokenLock,
} from "../api/tokens.ts";
import { onReachabilityChange, sendRequest, setCallTenant } from "../api/wire.ts";
import { deleteOfflineData } from "../offline/luggage.ts";
import { clearUnsavedForm } from "../parts/guarded-location.ts";
import { store } from "./store.ts";

export interface StaffMember {
  user: User;
  permissions: Set<string>;
  servicePoints: ServicePoint[];
  defaultServicePoint: string | undefined;
}

type SessionState =
  | { is: "asking" }
  | { is: "out" }
  /** `expired`: signed out during work; the page stays, below the dialog that asks for the password. */
  | { is: "in"; member: StaffMember; expired: boolean };

export const session = store<SessionState>({ is: "asking" });

/** The library (tenant) and the service point of this browser; kept in the browser. */
export const workplace = store<{ tenant?: string; servicePoint?: string }>(
  {},
  { name: "octavo.place", in: () => localStorage },
);

/** Whether the server could be reached at the last attempt. */
export const connection = store<{ up: boolean }>({ up: true });

/** Whether the library's time zone and currency are known. Otherwise the desk uses UTC and US dollars. */
export const localeKnown = store(true);

const RECONNECT_MS = 2_000;
let isReconnecting = false;

onReachabilityChange((up) => {
  if (connection.get().up !== up) connection.set({ up });
  if (up || isReconnecting) return;
  // While nobody makes a call, only this repeated call notices that the connection is back.
  isReconnecting = true;
  setTimeout(() => {
    isReconnecting = false;
    if (!connection.get().up) void sendRequest("/_/proxy/health", { timeoutMs: RECONNECT_MS }).catch(() => {});
  }, RECONNECT_MS);
});

/** Resolved when the user has signed in again; calls that need a sign-in wait for it. */
let waitingForSignIn: PromiseWithResolvers<void> | undefined;

onSignInNeeded(() => {
  const now = session.get();
  if (now.is !== "in") {
    session.set({ is: "out" });
    return Promise.reject(new SignedOut());
  }
  if (!now.expired) session.set({ ...now, expired: true });
  waitingForSignIn ??= Promise.withResolvers();
  return waitingForSignIn.promise;
});

interface OwnAccount {
  user: User;
  permissions?: { permissions: { permissionName: string }[] };
  servicePointsUser?: { servicePoints?: ServicePoint[]; defaultServicePointId?: string };
}

/** Continues the session of the cookies, if they are still valid, when the page is opened. */
export async function resumeSession(client: QueryClient): Promise<void> {
  const { tenant } = workplace.get();
  setCallTenant(tenant);
  followOtherTabs(client);
  if (tenant === undefined) return session.set({ is: "out" });
  const hasComeBack = signOnOutcome(location.href) === SIGNED_ON;
  if (hasComeBack) noteSignOnTokens();
  try {
    await startSession(client);
    if (hasComeBack) history.replaceState(history.state, "", withoutOutcome(location.href));
  } catch (error) {
    const known = error instanceof Unreachable ? lastMember.get() : null;
    if (known === null) return session.set({ is: "out" });
    client.setQueryData(libraryLocale.queryKey, known.locale);
    session.set({ is: "in", expired: false, member: { ...known, permissions: new Set(known.permissions) } });
  }
}

/**
 * The last signed-in user, for a desk that is opened without a connection. The server still checks every permission.
 */
interface LastMember extends Omit<StaffMember, "permissions"> {
  tenant?: string | undefined;
  permissions: string[];
  locale: object;
}

const lastMember = store<LastMember | null>(null, { name: "octavo.member", in: () => localStorage });

/** A sign-in, sign-out or change of user in another tab applies to this tab, too. */
function followOtherTabs(client: QueryClient): void {
  onOtherTabSignIn((user) => {
    const now = session.get();
    if (now.is !== "in") return;
    if (user === undefined) session.set({ ...now, expired: true });
    else if (now.expired || user !== now.member.user.id) void startSession(client).catch(() => {});
  });
}

export async function signIn(client: QueryClient, tenant: string, username: string, password: string): Promise<void> {
  setCallTenant(tenant);
  const body = { username, password };
  await withTokenLock(async () =>
    noteNewTokens(await askWithHeaders("/authn/login-with-expiry", { method: "POST", body, token: "none" })),
  );
  workplace.set((now) => ({ ...now, tenant }));
  await startSession(client);
}

export async function signOut(): Promise<void> {
  await withTokenLock(() => ask("/authn/logout", { method: "POST", token: "none" })).catch(() => {});
  forgetTokens();
  sessionStorage.clear();
  await deleteOfflineData();
  lastMember.set(null);
  // Loads the page anew, so that nothing of this user stays in memory for the next one.
  clearUnsavedForm();
  location.assign("/desk");
}

/** Loads the library's locale. If it cannot be read, the one of the last session in this browser stays. */
async function loadLocale(client: QueryClient): Promise<void> {
  try {
    await client.fetchQuery(libraryLocale);
    localeKnown.set(true);
  } catch {
    const last = lastMember.get();
    const known = last !== null && last.tenant === workplace.get().tenant ? last.locale : {};
    client.setQueryData(libraryLocale.queryKey, known);
    localeKnown.set("timezone" in known);
  }
}

async function startSession(client: QueryClient): Promise<void> {
  const before = session.get();
  const self = await ask<OwnAccount>("/bl-users/_self?include=servicepoints", { token: "now" });
  const isOther = before.is === "in" && before.member.user.id !== self.user.id;
  // Another user at the same screen must not see the data of the previous one.
  if (isOther) client.clear();
  const [permissions] = await Promise.all([loadPermissions(self.user), loadLocale(client), loadDeskSettings()]);
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
  noteTokenOwner(self.user.id);
  // Calls that the previous user had begun are not repeated in the name of the new one.
  if (isOther) waitingForSignIn?.reject(new SignedOut());
  else waitingForSignIn?.resolve();
  waitingForSignIn = undefined;
  lastMember.set({
    tenant: workplace.get().tenant,
    user: self.user,
    permissions: [...permissions],
    servicePoints,
    defaultServicePoint: self.servicePointsUser?.defaultServicePointId,
    locale: client.getQueryData(libraryLocale.queryKey) ?? {},
  });
  const { servicePoint } = workplace.get();
  const allowed = (id: string | undefined) => servicePoints.some((one) => one.id === id);
  if (!allowed(servicePoint)) {
    workplace.set(({ tenant }) => ({
      ...(tenant === undefined ? {} : { tenant }),
      // A user with a single service point does not have to choose.
      ...(servicePoints.length === 1 && servicePoints[0] ? { servicePoint: servicePoints[0].id } : {}),
    }));
  }
}

/**
 * A user's permissions, with those that their permission sets contain. The short answer needs a permission itself;
 * everybody may ask for the long one.
 */
async function loadPermissions(user: User): Promise<Set<string>> {
  try {
    const path = `/perms/users/${user.id}/permissions?indexField=userId&expanded=true`;
    return new Set((await ask<{ permissionNames: string[] }>(path)).permissionNames);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const self = await ask<OwnAccount>("/bl-users/_self?include=perms&expandPermissions=true").catch((refused) => {
      // The server answers 404 for a user who was never given permissions.
      if (refused instanceof Refused && refused.status === 404) return undefined;
      throw refused;
    });
    return new Set(self?.permissions?.permissions.map((one) => one.permissionName));
  }
}

export function useMember(): StaffMember {
  const now = session.use();
  if (now.is !== "in") throw new Error("nobody is signed in");
  return now.member;
}

/**
 * Whether the staff member has all of these permissions. The server checks them; this only hides buttons that would be
 * refused.
 */
export function useMay(): (...permissions: string[]) => boolean {
  const { permissions } = useMember();
  return (...needed) => needed.every((one) => permissions.has(one));
}

export function useServicePoint(): ServicePoint | undefined {
  const { servicePoint } = workplace.use();
  return useMember().servicePoints.find(({ id }) => id === servicePoint);
}
