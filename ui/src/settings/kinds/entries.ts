/**
 * Settings of the whole library: entries of mod-configuration whose value is JSON, one for each subject. Members of
 * the value that the form does not show are kept.
 */

import { libraryLocale, loadDeskSettings } from "../../api/library.ts";
import { countOpenTitleRequests } from "../../api/settings.ts";
import { valueAt } from "../draft.ts";
import type { Kind, Option, SettingRecord } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import { optionsFor } from "./units.ts";

interface EntryKind
  extends Pick<Kind, "name" | "slug" | "sections" | "afterSave" | "checkBeforeSave" | "explainRefusal"> {
  /** Conversions between the JSON value and the form, where they differ. */
  toForm?: (value: SettingRecord) => SettingRecord;
  fromForm?: (value: SettingRecord) => SettingRecord;
}

const unchanged = (value: SettingRecord) => value;

function configurationEntry(
  module: string,
  configName: string,
  { toForm = unchanged, fromForm = unchanged, ...kind }: EntryKind,
): Kind {
  return {
    ...kind,
    path: "/configurations/entries",
    collection: "configs",
    query: `module=="${module}" and configName=="${configName}"`,
    // Entries with a user id are preferences of that user, not settings of the library.
    isOfWholeLibrary: ({ userId, enabled }) => userId === undefined && enabled !== false,
    title: "configName",
    rights: "configuration.entries",
    isSingle: true,
    hasFixedRecords: true,
    blank: { module, configName, enabled: true },
    read: ({ value, metadata: _, ...entry }) => ({
      ...toForm(parseValue(value)),
      ...(entry.id !== undefined && { id: entry.id }),
      entry,
    }),
    write: ({ id, entry, ...value }) => ({
      ...(entry as SettingRecord),
      ...(id !== undefined && { id }),
      value: JSON.stringify(fromForm(value)),
    }),
  };
}

/** An invalid JSON value is taken for empty, as the server does. */
function parseValue(value: unknown): SettingRecord {
  try {
    return JSON.parse(String(value ?? "{}")) as SettingRecord;
  } catch {
    return {};
  }
}

/** Adds the stored value to the options, even if this browser does not know it. */
const withStored = (options: Option[], stored: unknown): Option[] =>
  typeof stored !== "string" || options.some(({ id }) => id === stored)
    ? options
    : [{ id: stored, name: stored }, ...options];

const byName = (options: Option[]) => options.sort((one, other) => one.name.localeCompare(other.name));

const timeZones = () => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

function currencies({ language }: SettingsWords): Option[] {
  const names = new Intl.DisplayNames(language, { type: "currency" });
  return byName(Intl.supportedValuesOf("currency").map((id) => ({ id, name: `${names.of(id)} (${id})` })));
}

/** The locales of FOLIO's own user interface. */
const LOCALES =
  "ar-AR ca-ES cs-CZ da-DK de-DE en-GB en-SE en-US es-419 es-ES fr-FR he-IL hi-IN hu-HU it-IT ja-JP ko-KR nb-NO nn-NO pl-PL pt-BR pt-PT ru-RU sv-SE ur-PK zh-CN zh-TW";

function locales({ language }: SettingsWords): Option[] {
  const names = new Intl.DisplayNames(language, { type: "language" });
  return byName(LOCALES.split(" ").map((id) => ({ id, name: names.of(id) ?? id })));
}

export const locale = configurationEntry("ORG", "localeSettings", {
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
            timeZones().map((id) => ({ id, name: id })),
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
  // Reloads the locale, so that dates and money at this desk change, too.
  afterSave: (client) => client.fetchQuery({ ...libraryLocale, staleTime: 0 }),
});

const IDENTIFIERS = ["barcode", "externalSystemId", "username", "id"] as const;
const hasTimeout = (record: SettingRecord) => record.checkoutTimeout === true;

export const atTheDesk = configurationEntry("CHECKOUT", "other_settings", {
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
          from: optionsFor(IDENTIFIERS, words.desk.identifierNames),
        },
        { is: "yes", at: "checkoutTimeout", label: words.desk.timeout },
        {
          is: "number",
          at: "checkoutTimeoutDuration",
          label: words.desk.minutes,
          help: words.desk.minutesHelp,
          required: true,
          shows: hasTimeout,
        },
        { is: "yes", at: "audioAlertsEnabled", label: words.desk.sounds, help: words.desk.soundsHelp },
      ],
    },
  ],
  toForm: ({ prefPatronIdentifier, ...settings }) => ({
    // The default of the desk.
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
  afterSave: loadDeskSettings,
});

const TITLE_REQUESTS = "titleLevelRequestsFeatureEnabled";
const allowsTitleRequests = (record: SettingRecord) => record[TITLE_REQUESTS] === true;

export const titleRequests = configurationEntry("SETTINGS", "TLR", {
  name: "titleRequests",
  slug: "title-requests",
  sections: (words) => [
    {
      fields: [
        { is: "yes", at: TITLE_REQUESTS, label: words.tlr.enabled, help: words.tlr.enabledHelp },
        {
          is: "yes",
          at: "createTitleLevelRequestsByDefault",
          label: words.tlr.usual,
          help: words.tlr.usualHelp,
          shows: allowsTitleRequests,
        },
        {
          is: "yes",
          at: "tlrHoldShouldFollowCirculationRules",
          label: words.tlr.byRules,
          help: words.tlr.byRulesHelp,
          shows: allowsTitleRequests,
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
        shows: allowsTitleRequests,
      })),
    },
  ],
  // Title level requests cannot be turned off while any of them is open.
  checkBeforeSave: async (record, words) =>
    allowsTitleRequests(record) || (await countOpenTitleRequests()) === 0 ? undefined : words.tlr.stillOpen,
});

const CLOSINGS = ["immediately", "interval", "never"] as const;
const hasFeeRules = (record: SettingRecord) => record.treatEnabled === true;
const closesAfterInterval = (what: "loan" | "feeFine") => (record: SettingRecord) =>
  valueAt(record, `closingType.${what}`) === "interval";

export const loanHistory = configurationEntry("LOAN_HISTORY", "loan_history", {
  name: "loanHistory",
  slug: "loan-history",
  toForm: (value) => ({ ...value, closingType: { loan: "never", ...chosenClosings(value) } }),
  sections: (words) => {
    const units = optionsFor(["Days", "Weeks", "Months"] as const, words.units);
    return [
      {
        fields: [
          {
            is: "choice",
            at: "closingType.loan",
            label: words.history.loan,
            help: words.history.loanHelp,
            from: optionsFor(CLOSINGS, words.history.closings),
            required: true,
          },
          {
            is: "period",
            at: "loan",
            label: words.history.after,
            units,
            required: true,
            shows: closesAfterInterval("loan"),
          },
          { is: "yes", at: "treatEnabled", label: words.history.apart },
          {
            is: "choice",
            at: "closingType.feeFine",
            label: words.history.feeFine,
            help: words.history.feeFineHelp,
            from: optionsFor(CLOSINGS, words.history.closings),
            required: true,
            shows: hasFeeRules,
          },
          {
            is: "period",
            at: "feeFine",
            label: words.history.afterFees,
            units,
            required: true,
            shows: (record) => hasFeeRules(record) && closesAfterInterval("feeFine")(record),
          },
        ],
      },
    ];
  },
});

/** FOLIO stores null where nothing is chosen. */
function chosenClosings({ closingType }: SettingRecord): object {
  const chosen = Object.entries((closingType ?? {}) as SettingRecord).filter(([, value]) => value !== null);
  return Object.fromEntries(chosen);
}

export const printHolds = configurationEntry("SETTINGS", "PRINT_HOLD_REQUESTS", {
  name: "printHolds",
  slug: "search-slips",
  sections: (words) => [
    {
      fields: [{ is: "yes", at: "printHoldRequestsEnabled", label: words.holds.print, help: words.holds.printHelp }],
    },
  ],
});
