/** Names of requesters and statuses. */

import type { PatronRequest } from "../api/records.ts";
import type { Words } from "../words/en.ts";

export const requesterName = (request: PatronRequest | undefined) =>
  [request?.requester?.firstName, request?.requester?.lastName].filter(Boolean).join(" ");

/** The status without “Open” or “Closed”, where the list already says that. */
export const shortStatus = (status: string, { statuses }: Words) =>
  (statuses[status] ?? status).replace(/^\S+ [-–] /, "");
