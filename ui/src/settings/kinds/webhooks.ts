/** Webhooks: addresses of other programs to which events are posted. */

import type { Kind } from "../kind.ts";
import { optionsFor } from "./units.ts";

/** Types of events, in the order in which things happen to a loan. */
export const EVENT_TYPES = [
  "ITEM_CHECKED_OUT",
  "LOAN_DUE_DATE_CHANGED",
  "ITEM_CHECKED_IN",
  "LOAN_CLOSED",
  "ITEM_CLAIMED_RETURNED",
  "ITEM_DECLARED_LOST",
  "ITEM_AGED_TO_LOST",
  "FEE_FINE_BALANCE_CHANGED",
  "LOAN_RELATED_FEE_FINE_CLOSED",
] as const;

export const webhooks: Kind = {
  name: "webhooks",
  slug: "webhooks",
  path: "/octavo/webhooks",
  collection: "webhooks",
  title: "name",
  rights: "octavo.webhooks",
  blank: { active: true, types: [] },
  sections: (words) => [
    {
      fields: [
        { is: "text", at: "name", label: words.name, required: true },
        { is: "text", at: "url", label: words.webhook.url, help: words.webhook.urlHelp, required: true, wide: true },
        { is: "yes", at: "active", label: words.webhook.active },
        {
          is: "many",
          at: "types",
          label: words.webhook.types,
          help: words.webhook.typesHelp,
          from: optionsFor(EVENT_TYPES, words.webhook.typeNames),
        },
      ],
    },
  ],
  summary: ({ url }) => String(url),
};
