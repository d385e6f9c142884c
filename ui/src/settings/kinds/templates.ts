/** The templates of patron notices (mod-template-engine). The form shows a template's first language alone. */

import type { Kind, SettingRecord } from "../kind.ts";
import { templateName } from "../template-name.ts";
import { optionsFor } from "./units.ts";

export const CATEGORIES = ["Loan", "Request", "FeeFineCharge", "FeeFineAction"] as const;
export type Category = (typeof CATEGORIES)[number];

type Localized = Record<string, { header?: string; body?: string }>;

export const languageOf = ({ localizedTemplates }: SettingRecord) =>
  Object.keys((localizedTemplates ?? {}) as Localized)[0] ?? "en";

export const templates: Kind = {
  name: "templates",
  slug: "templates",
  path: "/templates",
  collection: "templates",
  title: "name",
  displayName: templateName,
  rights: "templates",
  blank: { outputFormats: ["text/html"], templateResolver: "mustache", active: true, category: "Loan" },
  sections: (words) => [
    {
      fields: [
        { is: "text", at: "name", label: words.name, required: true },
        {
          is: "choice",
          at: "category",
          label: words.template.category,
          from: optionsFor(CATEGORIES, words.template.categories),
        },
        { is: "text", at: "description", label: words.description, lines: 2 },
      ],
    },
    {
      title: words.template.notice,
      fields: [
        { is: "text", at: "header", label: words.template.header, required: true, wide: true },
        {
          is: "text",
          at: "body",
          label: words.template.body,
          help: words.template.bodyHelp,
          required: true,
          lines: 16,
        },
      ],
    },
  ],
  read: (record) => {
    const said = ((record.localizedTemplates ?? {}) as Localized)[languageOf(record)] ?? {};
    return { ...record, ...said, name: templateName(record) || undefined };
  },
  write: ({ header, body, ...record }) => ({
    ...record,
    localizedTemplates: {
      ...(record.localizedTemplates as Localized | undefined),
      [languageOf(record)]: { header, body },
    },
  }),
  summary: ({ category }, words) => words.template.categories[category as Category] ?? "",
  explainRefusal: ({ message }, words) => {
    const [, part, line, column, what] =
      /The (header|body) of the template cannot be read: line (\d+), column (\d+): (.*)/s.exec(message) ?? [];
    if (part === undefined) return undefined;
    return { at: part, text: words.template.unreadable(Number(line), Number(column), what ?? "") };
  },
};
