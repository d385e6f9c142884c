/**
 * FOLIO's records under the names by which the desk calls them, and the answers of calls with code of their own, as far as
 * the desk reads them. Fields that FOLIO may leave out are optional here.
 */

export type {
  FeeFineAccount as Account,
  FeeFineAction as FeeAction,
  ManualBlock,
  Note,
  PatronGroup,
  ProxyRelation as ProxyOf,
  ServicePoint,
  User,
} from "./octavo.ts";

export interface Named {
  id: string;
  name: string;
}

export interface ItemOfLoan {
  id: string;
  title: string;
  barcode?: string;
  callNumber?: string;
  copyNumber?: string;
  volume?: string;
  instanceId?: string;
  contributors?: { name: string }[];
  location?: { name: string };
  inTransitDestinationServicePoint?: { id: string; name: string };
  materialType?: { name: string };
  status?: { name: string; date?: string };
}

export interface Loan {
  id: string;
  userId?: string;
  itemId: string;
  item?: ItemOfLoan;
  borrower?: { firstName?: string; lastName: string; barcode?: string };
  status?: { name: string };
  action?: string;
  loanDate: string;
  dueDate: string;
  returnDate?: string;
  /** When its return was booked; a return may be dated back. */
  systemReturnDate?: string;
  renewalCount?: number;
  loanPolicy?: { name: string };
  overdueFinePolicy?: { name: string };
  lostItemPolicy?: { name: string };
  feesAndFines?: { amountRemainingToPay?: number };
  checkoutServicePoint?: { name: string };
  dueDateChangedByRecall?: boolean;
}

/** The values for the tokens of a staff slip, as the server answers them. */
export interface SlipContext {
  currentDateTime?: string;
  item?: Record<string, string | null | undefined>;
  requester?: Record<string, string | null | undefined>;
  request?: Record<string, string | null | undefined>;
}

export interface CheckedIn {
  item?: ItemOfLoan;
  loan?: Loan;
  staffSlipContext?: SlipContext;
  inHouseUse?: boolean;
}

/** One step of how a decision came about. Which members there are depends on `step`. */
export interface Step {
  step: string;
  [member: string]: unknown;
}

export interface Decision {
  id: string;
  decision: string;
  at: string;
  undone: boolean;
  why: string[];
  steps: Step[];
}

export interface PatronRequest {
  id: string;
  requestType: string;
  status: string;
  position?: number;
  requestDate?: string;
  requestExpirationDate?: string;
  holdShelfExpirationDate?: string;
  instanceId?: string;
  itemId?: string;
  requesterId?: string;
  instance?: { title?: string };
  item?: { barcode?: string; callNumber?: string; location?: { name?: string } };
  requester?: { firstName?: string; lastName?: string; barcode?: string };
  pickupServicePointId?: string;
  pickupServicePoint?: { name?: string };
  requestLevel?: string;
  fulfillmentPreference?: string;
}

export interface AutomatedBlock {
  patronBlockConditionId?: string;
  message: string;
  blockBorrowing?: boolean;
  blockRenewals?: boolean;
  blockRequests?: boolean;
}
