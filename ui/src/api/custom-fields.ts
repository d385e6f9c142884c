/** What the library wants to know of patrons beyond FOLIO's own members, in the order in which the form asks for it. */

import { queryOptions } from "@tanstack/react-query";
import { list } from "./list.ts";
import type { CustomField as Defined } from "./octavo.ts";

export type CustomField = Omit<Defined, "id"> & { refId: string };

/** More than any library has. */
const ALL = 500;

export const customFields = queryOptions({
  queryKey: ["custom-fields"],
  staleTime: 60_000,
  queryFn: async (): Promise<CustomField[]> => {
    const found = (await list("/custom-fields", { query: "entityType==user", limit: ALL })).customFields;
    // Each that is stored has one.
    return found.flatMap(({ refId, ...field }) => (refId === undefined ? [] : [{ ...field, refId }]));
  },
});
