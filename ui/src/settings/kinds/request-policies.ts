/** Request policies (mod-circulation-storage): allowed request types and pickup service points. */

import type { Kind, SettingRecord, Spec } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import { optionsFor } from "./units.ts";

const REQUEST_TYPES = ["Page", "Hold", "Recall"] as const;

const allowedTypes = (record: SettingRecord) => (record.requestTypes ?? []) as string[];

export const requestPolicies: Kind = {
  name: "requestPolicies",
  slug: "request-policies",
  path: "/request-policy-storage/request-policies",
  collection: "requestPolicies",
  title: "name",
  rights: "circulation-storage.request-policies",
  letter: "r",
  blank: { requestTypes: [...REQUEST_TYPES] },
  sections: (words) => [
    {
      fields: [
        { is: "text", at: "name", label: words.name, required: true },
        { is: "text", at: "description", label: words.description, lines: 2 },
        {
          is: "many",
          at: "requestTypes",
          label: words.request.types,
          from: optionsFor(REQUEST_TYPES, words.request.typeNames),
        },
      ],
    },
    {
      title: words.request.pickup,
      help: words.request.pickupHelp,
      fields: REQUEST_TYPES.map((type) => pickupField(type, words)),
    },
  ],
  write: (record) => {
    const allowed = Object.entries((record.allowedServicePoints ?? {}) as Record<string, string[] | null>);
    const { allowedServicePoints: _, ...rest } = record;
    const chosen = allowed.filter(([, points]) => points && points.length > 0);
    return chosen.length === 0 ? rest : { ...rest, allowedServicePoints: Object.fromEntries(chosen) };
  },
  summary: (record, words) =>
    allowedTypes(record)
      .map((type) => words.request.typeNames[type as "Page"] ?? type)
      .join(", ") || words.request.none,
  explainRefusal: ({ code }, words) =>
    code === "INVALID_ALLOWED_SERVICE_POINT" ? { text: words.request.pointGone } : undefined,
};

const pickupField = (type: (typeof REQUEST_TYPES)[number], words: SettingsWords): Spec => ({
  is: "many",
  at: `allowedServicePoints.${type}`,
  label: words.request.pickupOf(words.request.typeNames[type]),
  from: "pickupPoints",
  shows: (record) => allowedTypes(record).includes(type),
});
