/** Staff slips (mod-circulation-storage), printed to go with an item or to find it. */

import type { Kind } from "../kind.ts";

export const slips: Kind = {
  name: "slips",
  slug: "staff-slips",
  path: "/staff-slips-storage/staff-slips",
  collection: "staffSlips",
  title: "name",
  rights: "circulation-storage.staff-slips",
  // The desk finds slips by their names, so none can be added or deleted.
  hasFixedRecords: true,
  blank: {},
  sections: (words) => [
    {
      fields: [
        { is: "yes", at: "active", label: words.slip.active },
        { is: "text", at: "description", label: words.description, lines: 2 },
        {
          is: "text",
          at: "template",
          label: words.slip.template,
          help: words.slip.templateHelp,
          required: true,
          lines: 14,
        },
      ],
    },
  ],
  summary: ({ active, template }, words) => {
    if (active === false) return words.slip.off;
    return /<p>\s*<\/p>/.test(String(template)) || !template ? words.slip.plain : "";
  },
};
