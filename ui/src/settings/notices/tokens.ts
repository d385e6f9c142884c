/** Which tokens notices of circulation fill in. The tests ask the server whether it knows every one of them. */

import type { Category } from "../kinds/templates.ts";

const USER = [
  "firstName",
  "preferredFirstName",
  "lastName",
  "middleName",
  "barcode",
  "barcodeImage",
  "patronGroup",
  "departments",
  "primaryDeliveryAddressType",
  "primaryAddressLine1",
  "primaryAddressLine2",
  "primaryCity",
  "primaryStateProvRegion",
  "primaryZipPostalCode",
  "primaryCountry",
];

const ITEM = [
  "title",
  "primaryContributor",
  "allContributors",
  "barcode",
  "barcodeImage",
  "callNumber",
  "callNumberPrefix",
  "callNumberSuffix",
  "copy",
  "volume",
  "enumeration",
  "chronology",
  "yearCaption",
  "numberOfPieces",
  "descriptionOfPieces",
  "materialType",
  "loanType",
  "status",
  "effectiveLocationSpecific",
  "effectiveLocationLibrary",
  "effectiveLocationCampus",
  "effectiveLocationInstitution",
  "effectiveLocationDiscoveryDisplayName",
  "effectiveLocationPrimaryServicePointName",
];

const LOAN = [
  "dueDate",
  "dueDateTime",
  "initialBorrowDate",
  "initialBorrowDateTime",
  "checkedInDate",
  "checkedInDateTime",
  "numberOfRenewalsTaken",
  "numberOfRenewalsAllowed",
  "numberOfRenewalsRemaining",
  "additionalInfo",
];

const REQUEST = [
  "servicePointPickup",
  "requestDate",
  "requestExpirationDate",
  "requestExpirationDateTime",
  "holdShelfExpirationDate",
  "holdShelfExpirationDateTime",
  "deliveryAddressType",
  "reasonForCancellation",
  "patronComments",
  "additionalInfo",
  "requestID",
];

const FEE_CHARGE = [
  "owner",
  "type",
  "paymentStatus",
  "amount",
  "remainingAmount",
  "chargeDate",
  "chargeDateTime",
  "additionalInfo",
];

const FEE_ACTION = ["type", "actionDate", "actionDateTime", "amount", "remainingAmount", "additionalInfo"];

const of = (object: string, words: readonly string[]) => words.map((word) => `${object}.${word}`);

export interface TokenGroup {
  group: "user" | "requester" | "item" | "loan" | "request" | "fee";
  tokens: readonly string[];
}

/** The tokens of a patron notice template, in groups. */
export function tokensOf(category: Category): TokenGroup[] {
  const user = { group: "user", tokens: of("user", USER) } as const;
  const item = { group: "item", tokens: of("item", ITEM) } as const;
  const loan = { group: "loan", tokens: of("loan", LOAN) } as const;
  switch (category) {
    case "Request":
      return [user, item, { group: "request", tokens: of("request", REQUEST) }];
    case "FeeFineCharge":
      return [user, item, loan, { group: "fee", tokens: of("feeCharge", FEE_CHARGE) }];
    case "FeeFineAction":
      return [
        user,
        item,
        loan,
        { group: "fee", tokens: [...of("feeAction", FEE_ACTION), ...of("feeCharge", FEE_CHARGE)] },
      ];
    default:
      return [user, item, loan];
  }
}

/** Around what is said of each. */
export const LOOPS: Partial<Record<Category, string>> = { Loan: "loans", FeeFineCharge: "feeCharges" };

/** What slips fill in: the server gathers it with a check-in, and for the lists of what to fetch. */
export const SLIP_TOKENS: readonly TokenGroup[] = [
  {
    group: "request",
    tokens: of("request", [
      "servicePointPickup",
      "holdShelfExpirationDate",
      "requestExpirationDate",
      "deliveryAddressType",
      "patronComments",
      "requestID",
    ]),
  },
  {
    group: "item",
    tokens: of("item", [
      "title",
      "primaryContributor",
      "allContributors",
      "barcode",
      "callNumber",
      "copy",
      "volume",
      "enumeration",
      "chronology",
      "materialType",
      "loanType",
      "effectiveLocationSpecific",
      "effectiveLocationLibrary",
      "fromServicePoint",
      "toServicePoint",
      "lastCheckedInDateTime",
    ]),
  },
  {
    group: "requester",
    tokens: of("requester", [
      "firstName",
      "lastName",
      "middleName",
      "barcode",
      "patronGroup",
      "addressLine1",
      "addressLine2",
      "city",
      "region",
      "postalCode",
      "countryId",
    ]),
  },
];
