/** Fees that staff charge by hand. */

import { queryOptions } from "@tanstack/react-query";
import { is } from "./cql.ts";
import { ask, Refused } from "./http.ts";
import { list } from "./list.ts";
import type { FeeFineOwner, FeeFineType, InventoryItem, User } from "./octavo.ts";

export const feeOwners = queryOptions({
  queryKey: ["fee-owners"],
  queryFn: async () => (await list("/owners", { limit: 200 })).owners,
});

/** The fee types that staff can charge; those that the server charges by itself are left out. */
export const chargeable = (ownerId: string) =>
  queryOptions({
    queryKey: ["fee-types", ownerId],
    enabled: ownerId !== "",
    queryFn: async () => {
      const query = is("ownerId", ownerId);
      const { feefines } = await list("/feefines", { query, limit: 200 });
      return feefines.filter(({ automatic }) => automatic !== true);
    },
  });

export async function itemOfBarcode(barcode: string): Promise<InventoryItem> {
  const { items } = await list("/inventory/items", { query: is("barcode", barcode), limit: 1 });
  const [item] = items;
  if (item === undefined) throw new Refused(422, [{ message: `No item with barcode ${barcode} could be found` }]);
  return item;
}

interface ByHand {
  user: User;
  owner: FeeFineOwner;
  type: FeeFineType;
  amount: number;
  item?: InventoryItem;
  /** Comments for staff, and for the patron notice. */
  comment: string;
  forPatron: string;
  notify: boolean;
  servicePointId: string | undefined;
  source: string;
}

/** An account and the action that opens it. Where the second is refused the first is taken back: neither says anything alone. */
export async function chargeByHand({ user, owner, type, amount, item, ...how }: ByHand): Promise<void> {
  const id = crypto.randomUUID();
  const account = {
    id,
    userId: user.id,
    ownerId: owner.id,
    feeFineOwner: owner.owner,
    feeFineId: type.id,
    feeFineType: type.feeFineType,
    amount,
    remaining: amount,
    status: { name: "Open" },
    paymentStatus: { name: "Outstanding" },
    ...(item && {
      itemId: item.id,
      title: item.title,
      barcode: item.barcode,
      callNumber: item.callNumber,
      materialType: item.materialType?.name,
      materialTypeId: item.materialType?.id,
      itemStatus: item.status && { name: item.status.name },
      location: item.effectiveLocation?.name,
    }),
  };
  await ask("/accounts", { method: "POST", body: account });
  try {
    await ask("/feefineactions", { method: "POST", body: action(id, { user, type, amount, ...how }) });
  } catch (error) {
    await ask(`/accounts/${id}`, { method: "DELETE" }).catch(() => {});
    throw error;
  }
}

function action(accountId: string, { user, type, amount, ...how }: Omit<ByHand, "owner" | "item">) {
  // FOLIO keeps both remarks in one text.
  const comments = [how.comment && `STAFF : ${how.comment}`, how.forPatron && `PATRON : ${how.forPatron}`];
  return {
    id: crypto.randomUUID(),
    accountId,
    userId: user.id,
    dateAction: new Date().toISOString(),
    typeAction: type.feeFineType,
    amountAction: amount,
    balance: amount,
    comments: comments.filter(Boolean).join(" \n "),
    notify: how.notify,
    transactionInformation: "-",
    createdAt: how.servicePointId,
    source: how.source,
  };
}
