/** Deleting a patron, and the open transactions that prevent it. */

import { ask, Refused } from "./http.ts";

/** The number of open transactions of each kind. */
export type OpenTransactions = Record<"loans" | "requests" | "feesFines" | "proxies" | "blocks", number> & {
  hasOpenTransactions: boolean;
};

export const openTransactions = (id: string) => ask<OpenTransactions>(`/bl-users/by-id/${id}/open-transactions`);

/** Deletes a patron. Returns their open transactions if these prevent it, and nothing if the patron was deleted. */
export async function deletePatron(id: string): Promise<OpenTransactions | undefined> {
  try {
    await ask(`/bl-users/by-id/${id}`, { method: "DELETE" });
    return undefined;
  } catch (error) {
    // A transaction was opened after the page asked for them.
    if (error instanceof Refused && error.status === 409) return openTransactions(id);
    throw error;
  }
}
