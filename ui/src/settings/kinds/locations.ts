/** Locations (mod-inventory-storage). */

import type { Kind, SettingRecord } from "../kind.ts";

export const locations: Kind = {
  name: "locations",
  slug: "locations",
  path: "/locations",
  collection: "locations",
  title: "name",
  rights: "inventory-storage.locations",
  letter: "s",
  blank: { isActive: true },
  sections: (words) => [
    {
      fields: [
        { is: "text", at: "name", label: words.name, required: true },
        { is: "text", at: "code", label: words.code, required: true },
        { is: "text", at: "discoveryDisplayName", label: words.point.shownAs, help: words.point.shownAsHelp },
        {
          is: "choice",
          at: "libraryId",
          label: words.location.library,
          from: "libraries",
          required: true,
          // A library is of a campus, and that of an institution: nobody should have to say all three.
          also: (record, library, records) => {
            const campus = records("campuses").find(({ id }) => id === library?.campusId);
            return { ...record, campusId: library?.campusId, institutionId: campus?.institutionId };
          },
        },
        { is: "text", at: "description", label: words.description, lines: 2 },
        { is: "yes", at: "isActive", label: words.location.active },
      ],
    },
    {
      title: words.location.served,
      help: words.location.servedHelp,
      fields: [
        {
          is: "choice",
          at: "primaryServicePoint",
          label: words.location.primary,
          help: words.location.primaryHelp,
          from: "servicePoints",
          required: true,
        },
        { is: "many", at: "servicePointIds", label: words.location.others, from: "servicePoints" },
      ],
    },
  ],
  extraSources: ["campuses"],
  write: (record) => {
    const { primaryServicePoint: first, servicePointIds = [] } = record as SettingRecord & {
      servicePointIds?: string[];
    };
    return { ...record, servicePointIds: [...new Set([first, ...servicePointIds])] };
  },
  summary: ({ code, isActive }, words) =>
    [code, isActive === false && words.location.inactive].filter(Boolean).join(" · "),
};
