/** FOLIO's records, as far as the desk reads them. Fields that FOLIO may leave out are optional here. */

export interface Named {
  id: string;
  name: string;
}

export interface ServicePoint extends Named {
  code: string;
  pickupLocation?: boolean;
  staffSlips?: { id: string; printByDefault: boolean }[];
}

export interface User {
  id: string;
  username?: string;
  barcode?: string;
  active?: boolean;
  patronGroup?: string;
  expirationDate?: string;
  enrollmentDate?: string;
  externalSystemId?: string;
  personal?: {
    lastName: string;
    firstName?: string;
    preferredFirstName?: string;
    middleName?: string;
    email?: string;
    phone?: string;
    mobilePhone?: string;
    profilePictureLink?: string;
    addresses?: Address[];
  };
}

export interface Address {
  addressLine1?: string;
  addressLine2?: string;
  city?: string;
  region?: string;
  postalCode?: string;
  countryId?: string;
}

export interface PatronGroup {
  id: string;
  group: string;
  desc?: string;
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
  renewalCount?: number;
  loanPolicy?: { name: string };
  overdueFinePolicy?: { name: string };
  lostItemPolicy?: { name: string };
  feesAndFines?: { amountRemainingToPay?: number };
  checkoutServicePoint?: { name: string };
  dueDateChangedByRecall?: boolean;
}

/** What a slip is filled in with: the server has gathered it, for slips and for whoever reads the answer. */
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

export interface Account {
  id: string;
  amount: number;
  remaining: number;
  status: { name: string };
  paymentStatus: { name: string };
  feeFineType?: string;
  feeFineOwner?: string;
  title?: string;
  barcode?: string;
  ownerId: string;
  userId: string;
  loanId?: string;
  metadata?: { createdDate?: string };
}

export interface FeeAction {
  id: string;
  dateAction?: string;
  typeAction?: string;
  comments?: string;
  amountAction?: number;
  balance?: number;
  paymentMethod?: string;
  accountId: string;
  source?: string;
}

export interface ManualBlock {
  id: string;
  desc: string;
  patronMessage?: string;
  staffInformation?: string;
  borrowing?: boolean;
  renewals?: boolean;
  requests?: boolean;
  expirationDate?: string;
  userId: string;
  type?: string;
}

export interface AutomatedBlock {
  patronBlockConditionId?: string;
  message: string;
  blockBorrowing?: boolean;
  blockRenewals?: boolean;
  blockRequests?: boolean;
}

export interface Note {
  id: string;
  title: string;
  content?: string;
  popUpOnCheckOut?: boolean;
  popUpOnUser?: boolean;
}

export interface ProxyOf {
  id: string;
  /** The sponsor, for whom `proxyUserId` acts. */
  userId: string;
  proxyUserId: string;
  status?: string;
  expirationDate?: string;
}
