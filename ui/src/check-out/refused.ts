/** Loads the patron and the item of a refused scan by their barcodes. */

import { useQuery } from "@tanstack/react-query";
import { and, equals } from "../api/cql.ts";
import { list } from "../api/list.ts";
import type { Loan, User } from "../api/records.ts";
import { type CheckOutScan, visit } from "./session.ts";

export function useBorrower({ order: { userBarcode } }: CheckOutScan): User | undefined {
  const { patron, sponsor } = visit.use();
  const here = [sponsor, patron].find((one) => one?.barcode === userBarcode && one.id !== "");
  const asked = useQuery({
    retry: false,
    queryKey: ["borrower", userBarcode],
    enabled: here === undefined,
    queryFn: async () => (await list("/users", { query: equals("barcode", userBarcode), limit: 1 })).users[0] ?? null,
  });
  return here ?? asked.data ?? undefined;
}

interface RefusedItem {
  title?: string;
  /** The open loan of the item, if somebody has it. */
  loan?: Loan;
}

export function useRefusedItem({ barcode, key }: CheckOutScan): RefusedItem & { isPending: boolean } {
  const asked = useQuery({
    retry: false,
    queryKey: ["refused", key],
    queryFn: async (): Promise<RefusedItem> => {
      const [item] = (await list("/inventory/items", { query: equals("barcode", barcode), limit: 1 })).items;
      if (item === undefined) return {};
      const query = and(equals("itemId", item.id), equals("status.name", "Open"));
      const [loan] = (await list("/circulation/loans", { query, limit: 1 })).loans;
      return { ...(item.title && { title: item.title }), ...(loan && { loan }) };
    },
  });
  return { ...asked.data, isPending: asked.isPending };
}
