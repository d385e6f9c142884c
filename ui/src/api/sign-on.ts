/** Single sign-on: whether a library has it, how somebody gets there, and the library's settings for it. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http.ts";
import type { SsoOffer, SsoSettings, SsoSettingsRequest } from "./octavo.ts";

/** What a library offers to whoever is not signed in yet. */
export const signOnOffer = (tenant: string) =>
  queryOptions({
    queryKey: ["sign-on", tenant],
    retry: false,
    enabled: tenant !== "",
    queryFn: () => ask<SsoOffer>("/octavo/sso", { token: "none", headers: { "x-okapi-tenant": tenant } }),
  });

/** The member of the address with which somebody comes back: done, or why they were not let in. */
const OUTCOME = "signOn";
export const DONE = "done";

export const outcomeOf = (address: string) => new URL(address, location.origin).searchParams.get(OUTCOME);

export function withoutOutcome(address: string): string {
  const url = new URL(address, location.origin);
  url.searchParams.delete(OUTCOME);
  return url.pathname + url.search;
}

/** Where a browser begins to sign in, and the page of this desk to which it comes back. */
export function signOnAddress(tenant: string, page: string): string {
  const back = new URL(page, location.origin);
  back.searchParams.set(OUTCOME, DONE);
  const query = new URLSearchParams({ returnTo: back.pathname + back.search });
  return `/_/invoke/tenant/${encodeURIComponent(tenant)}/octavo/sso/start?${query}`;
}

export const signOnSettings = queryOptions({
  queryKey: ["sign-on-settings"],
  queryFn: () => ask<SsoSettings>("/octavo/sso/settings"),
});

export const storeSignOn = (body: SsoSettingsRequest) =>
  ask<SsoSettings>("/octavo/sso/settings", { method: "PUT", body });
