/** Templates for manual patron blocks (mod-feesfines). */

import { valueAt } from "../draft.ts";
import type { Kind } from "../kind.ts";

const BLOCKED_ACTIONS = ["borrowing", "renewals", "requests"] as const;
const TEMPLATE_MEMBER = "blockTemplate";

export const blockTemplates: Kind = {
  name: "blockTemplates",
  slug: "block-templates",
  path: "/manual-block-templates",
  collection: "manualBlockTemplates",
  title: "name",
  rights: "manual-block-templates",
  blank: { blockTemplate: { borrowing: true, renewals: true, requests: true } },
  sections: (words) => [
    {
      fields: [
        { is: "text", at: "name", label: words.name, required: true },
        { is: "text", at: "code", label: words.code },
        { is: "text", at: "desc", label: words.description, help: words.blockTemplate.descriptionHelp, lines: 2 },
      ],
    },
    {
      title: words.blockTemplate.filledIn,
      help: words.blockTemplate.filledInHelp,
      fields: [
        { is: "text", at: `${TEMPLATE_MEMBER}.desc`, label: words.blockTemplate.why, lines: 2 },
        { is: "text", at: `${TEMPLATE_MEMBER}.patronMessage`, label: words.blockTemplate.message, lines: 2 },
        ...BLOCKED_ACTIONS.map((what) => ({
          is: "yes" as const,
          at: `${TEMPLATE_MEMBER}.${what}`,
          label: words.limits[what],
        })),
      ],
    },
  ],
  checkBeforeSave: async (record, words) =>
    BLOCKED_ACTIONS.some((what) => valueAt(record, `${TEMPLATE_MEMBER}.${what}`) === true)
      ? undefined
      : words.blockTemplate.againstNothing,
  summary: (record, words) => {
    const against = BLOCKED_ACTIONS.filter((what) => valueAt(record, `${TEMPLATE_MEMBER}.${what}`) === true);
    return [record.code, record.desc, against.map((what) => words.limits[what]).join(", ")].filter(Boolean).join(" · ");
  },
};
