/** What keeps a patron's record, and its end. */

import { ask, Refused } from "./http.ts";

/** What is still open, by its kind. */
export type OpenTransactions = Record<"loans" | "requests" | "feesFines" | "proxies" | "blocks", number> & {
  hasOpenTransactions: boolean;
};

export const openTransactions = (id: string) => ask<OpenTransactions>(`/bl-users/by-id/${id}/open-transactions`);

/** What keeps the record, if something does; nothing once it is deleted. */
export async function deletePatron(id: string): Promise<OpenTransactions | undefined> {
  try {
    await ask(`/bl-users/by-id/${id}`, { method: "DELETE" });
    return undefined;
  } catch (error) {
    // Something was opened since it was asked.
    if (error instanceof Refused && error.status === 409) return openTransactions(id);
    throw error;
  }
}
