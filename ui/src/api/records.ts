/** The names under which the desk uses FOLIO's records and answers. */

import type { CheckInByBarcodeResponse, CirculationLoan, CirculationRequest, ExplainedDecision } from "./octavo.ts";

export type {
  FeeFineAccount as Account,
  FeeFineAction as FeeAction,
  ManualBlock,
  Note,
  PatronGroup,
  ProxyRelation as ProxyRecord,
  ServicePoint,
  SlipContext,
  User,
} from "./octavo.ts";

export interface NamedRecord {
  id: string;
  name: string;
}

/** Loans that were made at a desk have a due date. */
export type Loan = CirculationLoan & { dueDate: string };

export type CheckInResult = CheckInByBarcodeResponse & { loan?: Loan };

/** The server gives each request that it stores a status. */
export type PatronRequest = CirculationRequest & Required<Pick<CirculationRequest, "status">>;

/** One step of how a due date or another decision came about. Which members it has depends on `step`. */
export type DecisionStep = ExplainedDecision["steps"][number] & Record<string, unknown>;
