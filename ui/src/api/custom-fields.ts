/** The library's custom fields for patrons (fields beyond those of FOLIO's user record), in the order of the form. */

import { queryOptions } from "@tanstack/react-query";
import { list } from "./list.ts";
import type { CustomField as Defined } from "./octavo.ts";

export type CustomField = Omit<Defined, "id"> & { refId: string };

/** The page size of the list; no library has more custom fields. */
const MAX_FIELDS = 500;

export const customFields = queryOptions({
  queryKey: ["custom-fields"],
  staleTime: 60_000,
  queryFn: async (): Promise<CustomField[]> => {
    const found = (await list("/custom-fields", { query: "entityType==user", limit: MAX_FIELDS })).customFields;
    // Every stored custom field has a `refId`; the generated type only does not require it.
    return found.flatMap(({ refId, ...field }) => (refId === undefined ? [] : [{ ...field, refId }]));
  },
});
