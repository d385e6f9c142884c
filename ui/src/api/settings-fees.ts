/** Fees/fines that staff charge manually. */

import { queryOptions } from "@tanstack/react-query";
import { equals } from "./cql.ts";
import { ask, Refused } from "./http.ts";
import { list } from "./list.ts";
import type { FeeFineOwner, FeeFineType, InventoryItem, User } from "./octavo.ts";

export const feeOwners = queryOptions({
  queryKey: ["fee-owners"],
  queryFn: async () => (await list("/owners", { limit: 200 })).owners,
});

/** The fee/fine types of an owner that staff can charge; automatic ones are left out. */
export const chargeableFeeTypes = (ownerId: string) =>
  queryOptions({
    queryKey: ["fee-types", ownerId],
    enabled: ownerId !== "",
    queryFn: async () => {
      const query = equals("ownerId", ownerId);
      const { feefines } = await list("/feefines", { query, limit: 200 });
      return feefines.filter(({ automatic }) => automatic !== true);
    },
  });

export async function findItemByBarcode(barcode: string): Promise<InventoryItem> {
  const { items } = await list("/inventory/items", { query: equals("barcode", barcode), limit: 1 });
  const [item] = items;
  if (item === undefined) throw new Refused(422, [{ message: `No item with barcode ${barcode} could be found` }]);
  return item;
}

interface ManualCharge {
  /** The id of the account that is made. */
  id: string;
  user: User;
  owner: FeeFineOwner;
  type: FeeFineType;
  amount: number;
  item?: InventoryItem;
  /** The comment for staff; `forPatron` is the comment for the patron, which stands in the patron notice. */
  comment: string;
  forPatron: string;
  notify: boolean;
  servicePointId: string | undefined;
  source: string;
}

/**
 * Creates an account (a fee/fine) and the action that opens it. If the action is refused, the account is deleted again,
 * so that neither is left alone.
 */
export async function chargeFee({ id, user, owner, type, amount, item, ...how }: ManualCharge): Promise<void> {
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
    await ask("/feefineactions", { method: "POST", body: toFeeAction({ id, user, type, amount, ...how }) });
  } catch (error) {
    // Without an answer the action may have been stored.
    if (error instanceof Refused) await ask(`/accounts/${id}`, { method: "DELETE" }).catch(() => {});
    throw error;
  }
}

/** The amount that an attempt without an answer has charged; undefined if it failed. What it stored in part is deleted. */
export async function findCharge(id: string): Promise<number | undefined> {
  const { feefineactions } = await list("/feefineactions", { query: equals("accountId", id), limit: 1 });
  const [charge] = feefineactions;
  if (charge !== undefined) return charge.amountAction ?? 0;
  await ask(`/accounts/${id}`, { method: "DELETE" }).catch((error) => {
    if (!(error instanceof Refused && error.status === 404)) throw error;
  });
  return undefined;
}

function toFeeAction({ id: accountId, user, type, amount, ...how }: Omit<ManualCharge, "owner" | "item">) {
  // FOLIO stores both comments in one text.
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
