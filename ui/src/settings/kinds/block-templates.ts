/** Templates of mod-feesfines for blocks that staff write: what is said, and against what. */

import { at } from "../draft.ts";
import type { Kind } from "../kind.ts";

const AGAINST = ["borrowing", "renewals", "requests"] as const;
const IN_TEMPLATE = "blockTemplate";

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
        { is: "text", at: `${IN_TEMPLATE}.desc`, label: words.blockTemplate.why, lines: 2 },
        { is: "text", at: `${IN_TEMPLATE}.patronMessage`, label: words.blockTemplate.message, lines: 2 },
        ...AGAINST.map((what) => ({
          is: "yes" as const,
          at: `${IN_TEMPLATE}.${what}`,
          label: words.limits[what],
        })),
      ],
    },
  ],
  refuses: async (record, words) =>
    AGAINST.some((what) => at(record, `${IN_TEMPLATE}.${what}`) === true)
      ? undefined
      : words.blockTemplate.againstNothing,
  summary: (record, words) => {
    const against = AGAINST.filter((what) => at(record, `${IN_TEMPLATE}.${what}`) === true);
    return [record.code, record.desc, against.map((what) => words.limits[what]).join(", ")].filter(Boolean).join(" · ");
  },
};
