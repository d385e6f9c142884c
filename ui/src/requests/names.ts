/** What of a request is called how. */

import type { PatronRequest } from "../api/records.ts";
import type { Words } from "../words/en.ts";

export const borrowersName = (request: PatronRequest | undefined) =>
  [request?.requester?.firstName, request?.requester?.lastName].filter(Boolean).join(" ");

/** Without “Open” or “Closed” before it, where the list says that. */
export const shortStatus = (status: string, { statuses }: Words) =>
  (statuses[status] ?? status).replace(/^\S+ [-–] /, "");
