/** What may be requested and where it is fetched: mod-circulation-storage's request policy. */

import type { Kind, Spec, Stored } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import { named } from "./units.ts";

const TYPES = ["Page", "Hold", "Recall"] as const;

const types = (record: Stored) => (record.requestTypes ?? []) as string[];

export const requestPolicies: Kind = {
  name: "requestPolicies",
  slug: "request-policies",
  path: "/request-policy-storage/request-policies",
  collection: "requestPolicies",
  title: "name",
  rights: "circulation-storage.request-policies",
  letter: "r",
  blank: { requestTypes: [...TYPES] },
  sections: (words) => [
    {
      fields: [
        { is: "text", at: "name", label: words.name, required: true },
        { is: "text", at: "description", label: words.description, lines: 2 },
        { is: "many", at: "requestTypes", label: words.request.types, from: named(TYPES, words.request.typeNames) },
      ],
    },
    {
      title: words.request.pickup,
      help: words.request.pickupHelp,
      fields: TYPES.map((type) => pickup(type, words)),
    },
  ],
  write: (record) => {
    const allowed = Object.entries((record.allowedServicePoints ?? {}) as Record<string, string[] | null>);
    const { allowedServicePoints: _, ...rest } = record;
    const chosen = allowed.filter(([, points]) => points && points.length > 0);
    return chosen.length === 0 ? rest : { ...rest, allowedServicePoints: Object.fromEntries(chosen) };
  },
  summary: (record, words) =>
    types(record)
      .map((type) => words.request.typeNames[type as "Page"] ?? type)
      .join(", ") || words.request.none,
  mapped: ({ code }, words) =>
    code === "INVALID_ALLOWED_SERVICE_POINT" ? { text: words.request.pointGone } : undefined,
};

const pickup = (type: (typeof TYPES)[number], words: SettingsWords): Spec => ({
  is: "many",
  at: `allowedServicePoints.${type}`,
  label: words.request.pickupOf(words.request.typeNames[type]),
  from: "pickupPoints",
  shows: (record) => types(record).includes(type),
});
