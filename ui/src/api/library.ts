/** Data that hardly changes while somebody works: read once and then kept. */

import { queryOptions } from "@tanstack/react-query";
import { store } from "../shell/store.ts";
import { all, is } from "./cql.ts";
import { ask, Refused, Unreachable } from "./http.ts";
import { list } from "./list.ts";

const HOUR = 3_600_000;
/** More than any library has of what is listed whole. */
const ALL = 2000;

interface Locale {
  locale?: string;
  timezone?: string;
  currency?: string;
}

export const libraryLocale = queryOptions({
  queryKey: ["locale"],
  staleTime: HOUR,
  enabled: false,
  queryFn: () => configured<Locale>("ORG", "localeSettings"),
});

/** The value of a configuration entry as JSON; empty if the library has not set it. */
export async function configured<T extends object>(module: string, configName: string): Promise<Partial<T>> {
  const query = all(is("module", module), is("configName", configName));
  const { configs } = await list("/configurations/entries", { query });
  const inForce = configs.find(({ enabled, userId }) => enabled !== false && userId === undefined);
  return JSON.parse(inForce?.value ?? "{}") as Partial<T>;
}

interface AtTheDesk {
  /** Fields of a patron by which one is found. */
  identifiers?: string[];
  /** After so many minutes without a sign of anybody a check-out ends. */
  idleMinutes?: number;
  sounds?: boolean;
}

/** Remembered for a desk that opens without a connection. */
export const atTheDesk = store<AtTheDesk>({}, { name: "octavo.at-the-desk", in: () => localStorage });

interface OtherSettings {
  prefPatronIdentifier: string;
  checkoutTimeout: boolean;
  checkoutTimeoutDuration: number | string;
  audioAlertsEnabled: boolean;
}

const IDENTIFIERS = ["barcode", "externalSystemId", "username", "id"];

/** Reads the settings of the desk. Without the permission the defaults hold; without a connection the last known ones do. */
export async function learnAtTheDesk(): Promise<void> {
  const said = await configured<OtherSettings>("CHECKOUT", "other_settings").catch((error) =>
    error instanceof Refused ? ({} as Partial<OtherSettings>) : undefined,
  );
  if (said === undefined) return;
  const identifiers = (said.prefPatronIdentifier ?? "").split(",").filter((field) => IDENTIFIERS.includes(field));
  const minutes = Number(said.checkoutTimeoutDuration);
  atTheDesk.set({
    ...(identifiers.length > 0 && { identifiers }),
    ...(said.checkoutTimeout === true && minutes > 0 && { idleMinutes: minutes }),
    ...(said.audioAlertsEnabled !== undefined && { sounds: said.audioAlertsEnabled }),
  });
}

/** Whether slips are printed for what is waited for, to look for it on the shelves. */
export const searchSlipsWanted = queryOptions({
  queryKey: ["search-slips-wanted"],
  staleTime: HOUR,
  queryFn: async () => {
    const said = await configured<{ printHoldRequestsEnabled: boolean }>("SETTINGS", "PRINT_HOLD_REQUESTS");
    return said.printHoldRequestsEnabled ?? false;
  },
});

export const patronGroups = queryOptions({
  queryKey: ["groups"],
  staleTime: HOUR,
  queryFn: () => list("/groups", { limit: ALL }).then((all) => all.usergroups),
});

export const servicePoints = queryOptions({
  queryKey: ["service-points"],
  staleTime: HOUR,
  queryFn: () =>
    list("/service-points", { limit: ALL, query: "cql.allRecords=1 sortBy name" }).then((all) => all.servicepoints),
});

interface Tenant {
  id: string;
  name?: string;
  description?: string;
}

/** The libraries of the last answer, for a desk that opens without a connection. */
const knownTenants = store<Tenant[]>([], { name: "octavo.libraries", in: () => localStorage });

export const tenants = queryOptions({
  queryKey: ["tenants"],
  staleTime: HOUR,
  retry: false,
  queryFn: async () => {
    try {
      const all = await ask<Tenant[]>("/_/proxy/tenants", { token: "now" });
      knownTenants.set(all.filter(({ id }) => id !== "supertenant"));
    } catch (error) {
      // Open to everybody on the server's own machine only; elsewhere people type their library's name once.
      if (!(error instanceof Unreachable)) return [];
    }
    return knownTenants.get();
  },
});
