/**
 * The cash drawers of this browser's service points that are open or were closed last, and the amounts that should be
 * in them.
 */

import { queryOptions } from "@tanstack/react-query";
import { and, equals, sortBy } from "../api/cql.ts";
import { listAll } from "../api/list.ts";
import type { FeeAction } from "../api/records.ts";
import { toCents } from "../parts/cents.ts";
import { store } from "../shell/store.ts";

interface DrawerOpening {
  at: string;
  by: string;
  float: number;
}

export interface DrawerClosing {
  opened: DrawerOpening;
  at: string;
  by: string;
  /** The sums of the payment methods whose money is in the drawer. */
  payments: Takings;
  out: number;
  counted: number;
  remark: string;
}

interface Drawer {
  opened?: DrawerOpening;
  closed?: DrawerClosing;
}

/** By service point, since a computer may be moved from one desk to another. */
export const drawers = store<Record<string, Drawer>>(
  {},
  { name: "octavo.drawers", in: () => localStorage, isShared: true },
);

export const setDrawer = (servicePoint: string, drawer: Drawer) =>
  drawers.set((now) => ({ ...now, [servicePoint]: drawer }));

export type Takings = Record<string, number>;

export const paymentsSince = (servicePoint: string, at: string) =>
  queryOptions({
    queryKey: ["drawer", servicePoint, at],
    queryFn: async () => {
      const query = sortBy(and(equals("createdAt", servicePoint), `dateAction>="${at}"`), "dateAction");
      const actions = await listAll("/feefineactions", query, ({ feefineactions }) => feefineactions);
      return actions.filter(({ typeAction }) => /^paid /i.test(typeAction ?? ""));
    },
  });

export function sumByMethod(payments: readonly FeeAction[]): Takings {
  const sums: Record<string, number> = {};
  for (const { paymentMethod = "", amountAction = 0 } of payments) {
    sums[paymentMethod] = (sums[paymentMethod] ?? 0) + toCents(amountAction);
  }
  return Object.fromEntries(Object.entries(sums).map(([method, sum]) => [method, sum / 100]));
}

/** Guesses from its name whether a payment method is cash; staff can correct it. */
export const isCash = (method: string) => /\b(cash|bar|bargeld)\b/i.test(method);

export const expectedAmount = ({
  opened,
  payments,
  out,
}: Pick<DrawerClosing, "opened" | "payments" | "out">): number => {
  const paid = Object.values(payments).reduce((sum, amount) => sum + toCents(amount), 0);
  return (toCents(opened.float) + paid - toCents(out)) / 100;
};

export const countDifference = (closed: DrawerClosing) =>
  (toCents(closed.counted) - toCents(expectedAmount(closed))) / 100;
