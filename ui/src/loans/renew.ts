import { ask } from "../api/http.ts";
import type { Loan } from "../api/records.ts";
import type { OverrideBlocks } from "./override.tsx";

export interface Renewal {
  itemId: string;
  userId: string;
  overrideBlocks?: OverrideBlocks;
}

export function renewLoan(renewal: Renewal): Promise<Loan> {
  return ask("/circulation/renew-by-id", { method: "POST", body: renewal });
}
