/** FOLIO's records, and the answers of its calls, under the names by which the desk calls them. */

import type { CheckInByBarcodeResponse, CirculationLoan, CirculationRequest, ExplainedDecision } from "./octavo.ts";

export type {
  FeeFineAccount as Account,
  FeeFineAction as FeeAction,
  ManualBlock,
  Note,
  PatronGroup,
  ProxyRelation as ProxyOf,
  ServicePoint,
  SlipContext,
  User,
} from "./octavo.ts";

export interface Named {
  id: string;
  name: string;
}

/** Loans that were made at a desk have a date by which they are due. */
export type Loan = CirculationLoan & { dueDate: string };

export type CheckedIn = CheckInByBarcodeResponse & { loan?: Loan };

/** The server gives each request that it keeps a status. */
export type PatronRequest = CirculationRequest & Required<Pick<CirculationRequest, "status">>;

/** One step of how a decision came about. Which members there are depends on `step`. */
export type Step = ExplainedDecision["steps"][number] & Record<string, unknown>;
