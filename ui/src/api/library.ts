/** Data of the library that rarely change during a working day: loaded once and then kept. */

import { queryOptions } from "@tanstack/react-query";
import { store } from "../shell/store.ts";
import { and, equals } from "./cql.ts";
import { ask, Refused, Unreachable } from "./http.ts";
import { list } from "./list.ts";

const HOUR_MS = 3_600_000;
/** The page size of lists that are loaded whole; no library has more records in them. */
const MAX_RECORDS = 2000;

interface Locale {
  locale?: string;
  timezone?: string;
  currency?: string;
}

export const libraryLocale = queryOptions({
  queryKey: ["locale"],
  staleTime: HOUR_MS,
  enabled: false,
  queryFn: () => loadConfiguration<Locale>("ORG", "localeSettings"),
});

/** Loads an entry of FOLIO's configuration (mod-configuration) as JSON; empty if the library has not set it. */
export async function loadConfiguration<T extends object>(module: string, configName: string): Promise<Partial<T>> {
  const query = and(equals("module", module), equals("configName", configName));
  const { configs } = await list("/configurations/entries", { query });
  const inForce = configs.find(({ enabled, userId }) => enabled !== false && userId === undefined);
  return JSON.parse(inForce?.value ?? "{}") as Partial<T>;
}

interface DeskSettings {
  /** The fields of a patron's record that the barcode or text on a card is compared with. */
  identifiers?: string[];
  /** A check-out session ends after so many minutes in which nobody presses a key or a button. */
  idleMinutes?: number;
  sounds?: boolean;
}

/** Also kept in the browser, for a desk that is opened without a connection to the server. */
export const deskSettings = store<DeskSettings>({}, { name: "octavo.at-the-desk", in: () => localStorage });

interface OtherSettings {
  prefPatronIdentifier: string;
  checkoutTimeout: boolean;
  checkoutTimeoutDuration: number | string;
  audioAlertsEnabled: boolean;
}

const IDENTIFIERS = ["barcode", "externalSystemId", "username", "id"];

/**
 * Loads the desk's settings. Without the permission to read them the defaults apply; without a connection the last
 * known ones do.
 */
export async function loadDeskSettings(): Promise<void> {
  const said = await loadConfiguration<OtherSettings>("CHECKOUT", "other_settings").catch((error) =>
    error instanceof Refused ? ({} as Partial<OtherSettings>) : undefined,
  );
  if (said === undefined) return;
  const identifiers = (said.prefPatronIdentifier ?? "").split(",").filter((field) => IDENTIFIERS.includes(field));
  const minutes = Number(said.checkoutTimeoutDuration);
  deskSettings.set({
    ...(identifiers.length > 0 && { identifiers }),
    ...(said.checkoutTimeout === true && minutes > 0 && { idleMinutes: minutes }),
    ...(said.audioAlertsEnabled !== undefined && { sounds: said.audioAlertsEnabled }),
  });
}

/** Whether the library prints search slips, to look on the shelves for items that patrons wait for. */
export const searchSlipsEnabled = queryOptions({
  queryKey: ["search-slips-wanted"],
  staleTime: HOUR_MS,
  queryFn: async () => {
    const said = await loadConfiguration<{ printHoldRequestsEnabled: boolean }>("SETTINGS", "PRINT_HOLD_REQUESTS");
    return said.printHoldRequestsEnabled ?? false;
  },
});

export const patronGroups = queryOptions({
  queryKey: ["groups"],
  staleTime: HOUR_MS,
  queryFn: () => list("/groups", { limit: MAX_RECORDS }).then((all) => all.usergroups),
});

export const servicePoints = queryOptions({
  queryKey: ["service-points"],
  staleTime: HOUR_MS,
  queryFn: () =>
    list("/service-points", { limit: MAX_RECORDS, query: "cql.allRecords=1 sortBy name" }).then(
      (all) => all.servicepoints,
    ),
});

interface Tenant {
  id: string;
  name?: string;
  description?: string;
}

/** The libraries (tenants) of the last answer, for a desk that is opened without a connection. */
const knownTenants = store<Tenant[]>([], { name: "octavo.libraries", in: () => localStorage });

export const tenants = queryOptions({
  queryKey: ["tenants"],
  staleTime: HOUR_MS,
  retry: false,
  queryFn: async () => {
    try {
      const all = await ask<Tenant[]>("/_/proxy/tenants", { token: "now" });
      knownTenants.set(all.filter(({ id }) => id !== "supertenant"));
    } catch (error) {
      // Only a browser on the server's own machine may list the tenants; elsewhere staff type the name of their library
      // once.
      if (!(error instanceof Unreachable)) return [];
    }
    return knownTenants.get();
  },
});
