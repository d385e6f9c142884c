/** Tokens of patron notices and staff slips. A test asks the server whether it knows each of them. */

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

const withPrefix = (object: string, words: readonly string[]) => words.map((word) => `${object}.${word}`);

export interface TokenGroup {
  group: "user" | "requester" | "item" | "loan" | "request" | "fee";
  tokens: readonly string[];
}

/** The tokens of a patron notice template, in groups. */
export function tokensOf(category: Category): TokenGroup[] {
  const user = { group: "user", tokens: withPrefix("user", USER) } as const;
  const item = { group: "item", tokens: withPrefix("item", ITEM) } as const;
  const loan = { group: "loan", tokens: withPrefix("loan", LOAN) } as const;
  switch (category) {
    case "Request":
      return [user, item, { group: "request", tokens: withPrefix("request", REQUEST) }];
    case "FeeFineCharge":
      return [user, item, loan, { group: "fee", tokens: withPrefix("feeCharge", FEE_CHARGE) }];
    case "FeeFineAction":
      return [
        user,
        item,
        loan,
        { group: "fee", tokens: [...withPrefix("feeAction", FEE_ACTION), ...withPrefix("feeCharge", FEE_CHARGE)] },
      ];
    default:
      return [user, item, loan];
  }
}

/** Names of the loops that repeat a part of a notice for each loan or fee. */
export const LOOPS: Partial<Record<Category, string>> = { Loan: "loans", FeeFineCharge: "feeCharges" };

/** Tokens of staff slips: the server gives their values with a check-in and in the lists of items to fetch. */
export const SLIP_TOKENS: readonly TokenGroup[] = [
  {
    group: "request",
    tokens: withPrefix("request", [
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
    tokens: withPrefix("item", [
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
    tokens: withPrefix("requester", [
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
