/** Automated patron blocks: conditions of mod-patron-blocks, and their messages. */

import type { Kind } from "../kind.ts";

export const blockConditions: Kind = {
  name: "blockConditions",
  slug: "limits",
  path: "/patron-block-conditions",
  collection: "patronBlockConditions",
  title: "name",
  rights: "patron-block-conditions",
  hasFixedRecords: true,
  blank: {},
  sections: (words) => [
    {
      title: words.limits.title,
      help: words.limits.help,
      fields: [
        { is: "yes", at: "blockBorrowing", label: words.limits.borrowing },
        { is: "yes", at: "blockRenewals", label: words.limits.renewals },
        { is: "yes", at: "blockRequests", label: words.limits.requests },
        { is: "text", at: "message", label: words.limits.message, help: words.limits.messageHelp, lines: 2 },
      ],
    },
  ],
  write: (record) => ({ message: "", ...record }),
  summary: (record, words) =>
    [
      record.blockBorrowing && words.limits.borrowing,
      record.blockRenewals && words.limits.renewals,
      record.blockRequests && words.limits.requests,
    ]
      .filter(Boolean)
      .join(", ") || words.limits.off,
  explainRefusal: ({ message }, words) =>
    /Message to be displayed/.test(message) ? { at: "message", text: words.limits.messageMissing } : undefined,
};
