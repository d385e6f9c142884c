/** Loads titles by their ids. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isAnyOf } from "../../api/cql.ts";
import type { Title } from "../../api/inventory.ts";
import { list } from "../../api/list.ts";

/** The ids of more titles would not fit into the address of one call. */
const IDS_PER_QUERY = 50;

export const titlesById = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["titles", "by-id", ids],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const found = new Map<string, Title>();
      for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
        const query = isAnyOf("id", ids.slice(from, from + IDS_PER_QUERY));
        const { instances } = await list("/inventory/instances", { query, limit: IDS_PER_QUERY });
        for (const one of instances) found.set(one.id ?? "", one);
      }
      return found;
    },
  });
