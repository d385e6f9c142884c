/** How titles are called that are known by their ids alone. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isAnyOf } from "../../api/cql.ts";
import type { Title } from "../../api/inventory.ts";
import { list } from "../../api/list.ts";

/** A longer query would not fit into an address. */
const AT_ONCE = 50;

export const titlesById = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["titles", "by-id", ids],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const found = new Map<string, Title>();
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const query = isAnyOf("id", ids.slice(from, from + AT_ONCE));
        const { instances } = await list("/inventory/instances", { query, limit: AT_ONCE });
        for (const one of instances) found.set(one.id ?? "", one);
      }
      return found;
    },
  });
