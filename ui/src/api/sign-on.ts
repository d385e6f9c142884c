/** Single sign-on: whether a library has it, the address at which it begins, and the library's settings for it. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http.ts";
import type { SsoOffer, SsoSettings, SsoSettingsRequest } from "./octavo.ts";

/** The single sign-on that a library offers before anybody is signed in. */
export const signOnOffer = (tenant: string) =>
  queryOptions({
    queryKey: ["sign-on", tenant],
    retry: false,
    enabled: tenant !== "",
    queryFn: () => ask<SsoOffer>("/octavo/sso", { token: "none", headers: { "x-okapi-tenant": tenant } }),
  });

/** The parameter of the address to which the log-in service returns: `done`, or the code of why the sign-in failed. */
const OUTCOME_PARAMETER = "signOn";
export const SIGNED_ON = "done";

export const signOnOutcome = (address: string) => new URL(address, location.origin).searchParams.get(OUTCOME_PARAMETER);

export function withoutOutcome(address: string): string {
  const url = new URL(address, location.origin);
  url.searchParams.delete(OUTCOME_PARAMETER);
  return url.pathname + url.search;
}

/** The address at which single sign-on begins, with the page of the desk to return to. */
export function signOnAddress(tenant: string, page: string): string {
  const back = new URL(page, location.origin);
  back.searchParams.set(OUTCOME_PARAMETER, SIGNED_ON);
  const query = new URLSearchParams({ returnTo: back.pathname + back.search });
  return `/_/invoke/tenant/${encodeURIComponent(tenant)}/octavo/sso/start?${query}`;
}

export const signOnSettings = queryOptions({
  queryKey: ["sign-on-settings"],
  queryFn: () => ask<SsoSettings>("/octavo/sso/settings"),
});

export const storeSignOnSettings = (body: SsoSettingsRequest) =>
  ask<SsoSettings>("/octavo/sso/settings", { method: "PUT", body });
