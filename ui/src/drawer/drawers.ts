/** The drawers that are open or were closed last at this browser's desks, and what should be in them. */

import { queryOptions } from "@tanstack/react-query";
import { all, is } from "../api/cql.ts";
import { list } from "../api/list.ts";
import type { FeeAction } from "../api/records.ts";
import { store } from "../shell/store.ts";

interface Opened {
  at: string;
  by: string;
  float: number;
}

export interface Closed {
  opened: Opened;
  at: string;
  by: string;
  /** By payment method, as far as its money lies in the drawer. */
  payments: Takings;
  out: number;
  counted: number;
  remark: string;
}

interface Drawer {
  opened?: Opened;
  closed?: Closed;
}

/** By service point: a browser may be taken from one desk to another. */
export const drawers = store<Record<string, Drawer>>({}, { name: "octavo.drawers", in: () => localStorage });

export const setDrawer = (servicePoint: string, drawer: Drawer) =>
  drawers.set((now) => ({ ...now, [servicePoint]: drawer }));

export type Takings = Record<string, number>;

const MANY = 5000;

export const paymentsSince = (servicePoint: string, at: string) =>
  queryOptions({
    queryKey: ["drawer", servicePoint, at],
    queryFn: async () => {
      const query = all(is("createdAt", servicePoint), `dateAction>="${at}"`);
      const { feefineactions } = await list("/feefineactions", { query, limit: MANY });
      return feefineactions.filter(({ typeAction }) => /^paid /i.test(typeAction ?? ""));
    },
  });

/** In cents, since sums of floating numbers are not exact. */
export const cents = (amount: number) => Math.round(amount * 100);

export function byMethod(payments: readonly FeeAction[]): Takings {
  const sums: Record<string, number> = {};
  for (const { paymentMethod = "", amountAction = 0 } of payments) {
    sums[paymentMethod] = (sums[paymentMethod] ?? 0) + cents(amountAction);
  }
  return Object.fromEntries(Object.entries(sums).map(([method, sum]) => [method, sum / 100]));
}

/** Whether the money of a payment method is coins and notes, to begin with: staff know better. */
export const isCash = (method: string) => /\b(cash|bar|bargeld)\b/i.test(method);

export const expected = ({ opened, payments, out }: Pick<Closed, "opened" | "payments" | "out">): number => {
  const paid = Object.values(payments).reduce((sum, amount) => sum + cents(amount), 0);
  return (cents(opened.float) + paid - cents(out)) / 100;
};

export const difference = (closed: Closed) => (cents(closed.counted) - cents(expected(closed))) / 100;
