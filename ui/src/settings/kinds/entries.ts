/**
 * What holds for the whole library: entries of mod-configuration, one for each subject, whose value is JSON. What FOLIO keeps in an
 * entry beside the fields of a form stays there.
 */

import { learnAtTheDesk, libraryLocale } from "../../api/library.ts";
import { openTitleRequests } from "../../api/settings.ts";
import { at } from "../draft.ts";
import type { Kind, Option, Stored } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import { named } from "./units.ts";

interface Entry extends Pick<Kind, "name" | "slug" | "sections" | "saved" | "refuses" | "mapped"> {
  /** Between the value and the fields of the form, where they differ. */
  toForm?: (value: Stored) => Stored;
  fromForm?: (value: Stored) => Stored;
}

const same = (value: Stored) => value;

function entry(module: string, configName: string, { toForm = same, fromForm = same, ...kind }: Entry): Kind {
  return {
    ...kind,
    path: "/configurations/entries",
    collection: "configs",
    query: `module=="${module}" and configName=="${configName}"`,
    // Entries of single users are no settings of the library.
    ofAll: ({ userId, enabled }) => userId === undefined && enabled !== false,
    title: "configName",
    rights: "configuration.entries",
    single: true,
    fixed: true,
    blank: { module, configName, enabled: true },
    read: ({ value, metadata: _, ...entry }) => ({
      ...toForm(parsed(value)),
      ...(entry.id !== undefined && { id: entry.id }),
      entry,
    }),
    write: ({ id, entry, ...value }) => ({
      ...(entry as Stored),
      ...(id !== undefined && { id }),
      value: JSON.stringify(fromForm(value)),
    }),
  };
}

/** What cannot be read holds nothing for the server, either. */
function parsed(value: unknown): Stored {
  try {
    return JSON.parse(String(value ?? "{}")) as Stored;
  } catch {
    return {};
  }
}

/** What is stored can be chosen, even if this browser does not know it. */
const withStored = (options: Option[], stored: unknown): Option[] =>
  typeof stored !== "string" || options.some(({ id }) => id === stored)
    ? options
    : [{ id: stored, name: stored }, ...options];

const byName = (options: Option[]) => options.sort((one, other) => one.name.localeCompare(other.name));

const zones = () => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

function currencies({ language }: SettingsWords): Option[] {
  const names = new Intl.DisplayNames(language, { type: "currency" });
  return byName(Intl.supportedValuesOf("currency").map((id) => ({ id, name: `${names.of(id)} (${id})` })));
}

/** Those in which FOLIO itself is offered. */
const LOCALES =
  "ar-AR ca-ES cs-CZ da-DK de-DE en-GB en-SE en-US es-419 es-ES fr-FR he-IL hi-IN hu-HU it-IT ja-JP ko-KR nb-NO nn-NO pl-PL pt-BR pt-PT ru-RU sv-SE ur-PK zh-CN zh-TW";

function locales({ language }: SettingsWords): Option[] {
  const names = new Intl.DisplayNames(language, { type: "language" });
  return byName(LOCALES.split(" ").map((id) => ({ id, name: names.of(id) ?? id })));
}

export const locale = entry("ORG", "localeSettings", {
  name: "locale",
  slug: "language-and-region",
  sections: (words, record) => [
    {
      fields: [
        {
          is: "choice",
          at: "locale",
          label: words.region.locale,
          help: words.region.localeHelp,
          from: withStored(locales(words), record.locale),
          required: true,
        },
        {
          is: "choice",
          at: "timezone",
          label: words.region.timeZone,
          help: words.region.timeZoneHelp,
          from: withStored(
            zones().map((id) => ({ id, name: id })),
            record.timezone,
          ),
          required: true,
        },
        {
          is: "choice",
          at: "currency",
          label: words.region.currency,
          from: withStored(currencies(words), record.currency),
          required: true,
        },
      ],
    },
  ],
  // Dates and money on this very screen follow.
  saved: (client) => client.fetchQuery({ ...libraryLocale, staleTime: 0 }),
});

const IDENTIFIERS = ["barcode", "externalSystemId", "username", "id"] as const;
const timesOut = (record: Stored) => record.checkoutTimeout === true;

export const atTheDesk = entry("CHECKOUT", "other_settings", {
  name: "atTheDesk",
  slug: "at-the-desk",
  sections: (words) => [
    {
      fields: [
        {
          is: "many",
          at: "identifiers",
          label: words.desk.identifiers,
          help: words.desk.identifiersHelp,
          from: named(IDENTIFIERS, words.desk.identifierNames),
        },
        { is: "yes", at: "checkoutTimeout", label: words.desk.timeout },
        {
          is: "number",
          at: "checkoutTimeoutDuration",
          label: words.desk.minutes,
          help: words.desk.minutesHelp,
          required: true,
          shows: timesOut,
        },
        { is: "yes", at: "audioAlertsEnabled", label: words.desk.sounds, help: words.desk.soundsHelp },
      ],
    },
  ],
  toForm: ({ prefPatronIdentifier, ...settings }) => ({
    // As the desk does where nothing is set.
    audioAlertsEnabled: true,
    ...settings,
    identifiers: String(prefPatronIdentifier ?? "")
      .split(",")
      .filter(Boolean),
  }),
  fromForm: ({ identifiers = [], ...settings }) => ({
    ...settings,
    prefPatronIdentifier: (identifiers as string[]).join(","),
  }),
  saved: learnAtTheDesk,
});

const TITLES = "titleLevelRequestsFeatureEnabled";
const forTitles = (record: Stored) => record[TITLES] === true;

export const titleRequests = entry("SETTINGS", "TLR", {
  name: "titleRequests",
  slug: "title-requests",
  sections: (words) => [
    {
      fields: [
        { is: "yes", at: TITLES, label: words.tlr.enabled, help: words.tlr.enabledHelp },
        {
          is: "yes",
          at: "createTitleLevelRequestsByDefault",
          label: words.tlr.usual,
          help: words.tlr.usualHelp,
          shows: forTitles,
        },
        {
          is: "yes",
          at: "tlrHoldShouldFollowCirculationRules",
          label: words.tlr.byRules,
          help: words.tlr.byRulesHelp,
          shows: forTitles,
        },
      ],
    },
    {
      title: words.tlr.notices,
      help: words.tlr.noticesHelp,
      fields: (["confirmation", "cancellation", "expiration"] as const).map((event) => ({
        is: "choice",
        at: `${event}PatronNoticeTemplateId`,
        label: words.tlr.noticeOf[event],
        from: "templates",
        shows: forTitles,
      })),
    },
  ],
  // Queues of titles would have nowhere to go.
  refuses: async (record, words) =>
    forTitles(record) || (await openTitleRequests()) === 0 ? undefined : words.tlr.stillOpen,
});

const CLOSINGS = ["immediately", "interval", "never"] as const;
const apart = (record: Stored) => record.treatEnabled === true;
const after = (what: "loan" | "feeFine") => (record: Stored) => at(record, `closingType.${what}`) === "interval";

export const loanHistory = entry("LOAN_HISTORY", "loan_history", {
  name: "loanHistory",
  slug: "loan-history",
  toForm: (value) => ({ ...value, closingType: { loan: "never", ...closings(value) } }),
  sections: (words) => {
    const units = named(["Days", "Weeks", "Months"] as const, words.units);
    return [
      {
        fields: [
          {
            is: "choice",
            at: "closingType.loan",
            label: words.history.loan,
            help: words.history.loanHelp,
            from: named(CLOSINGS, words.history.closings),
            required: true,
          },
          { is: "period", at: "loan", label: words.history.after, units, required: true, shows: after("loan") },
          { is: "yes", at: "treatEnabled", label: words.history.apart },
          {
            is: "choice",
            at: "closingType.feeFine",
            label: words.history.feeFine,
            help: words.history.feeFineHelp,
            from: named(CLOSINGS, words.history.closings),
            required: true,
            shows: apart,
          },
          {
            is: "period",
            at: "feeFine",
            label: words.history.afterFees,
            units,
            required: true,
            shows: (record) => apart(record) && after("feeFine")(record),
          },
        ],
      },
    ];
  },
});

/** FOLIO writes that nothing has been chosen as null. */
function closings({ closingType }: Stored): object {
  const chosen = Object.entries((closingType ?? {}) as Stored).filter(([, value]) => value !== null);
  return Object.fromEntries(chosen);
}

export const printHolds = entry("SETTINGS", "PRINT_HOLD_REQUESTS", {
  name: "printHolds",
  slug: "search-slips",
  sections: (words) => [
    {
      fields: [{ is: "yes", at: "printHoldRequestsEnabled", label: words.holds.print, help: words.holds.printHelp }],
    },
  ],
});
