/** One row of a list: a loan, an item or a request, with what the columns show of it. */

import type { Item } from "../api/inventory.ts";
import type { Loan, PatronRequest } from "../api/records.ts";

export interface ListRow {
  key: string;
  title: string;
  itemId?: string | undefined;
  instanceId?: string | undefined;
  barcode?: string | undefined;
  callNumber?: string | undefined;
  location?: string | undefined;
  /** Status of the item. */
  status?: string | undefined;
  /** Date of the item's status, or since when it has been in transit. */
  since?: string | undefined;
  materialType?: string | undefined;
  patronId?: string | undefined;
  patron?: string | undefined;
  patronBarcode?: string | undefined;
  groupId?: string | undefined;
  group?: string | undefined;
  loan?: Loan | undefined;
  request?: PatronRequest | undefined;
  item?: Item | undefined;
  /** The service point of check-out, of pickup, or to which the item is in transit. */
  servicePoint?: string | undefined;
  servicePointId?: string | undefined;
  /** Name of the service point at which the item was last checked in. */
  lastCheckInPoint?: string | undefined;
}

interface Person {
  firstName?: string;
  lastName?: string;
  barcode?: string;
}

const personName = (person: Person | undefined) => [person?.lastName, person?.firstName].filter(Boolean).join(", ");

export function rowFromLoan(loan: Loan): ListRow {
  const { item, borrower, patronGroupAtCheckout: group } = loan;
  return {
    key: loan.id,
    title: item?.title ?? "",
    itemId: loan.itemId,
    instanceId: item?.instanceId,
    barcode: item?.barcode,
    callNumber: item?.callNumber,
    location: item?.location?.name,
    status: item?.status?.name,
    since: item?.status?.date,
    materialType: item?.materialType?.name,
    patronId: loan.userId,
    patron: personName(borrower),
    patronBarcode: borrower?.barcode,
    groupId: group?.id,
    group: group?.name,
    loan,
    servicePoint: loan.checkoutServicePoint?.name,
    servicePointId: loan.checkoutServicePointId,
  };
}

/** `loan`: the loan on which the item is checked out, or was lost. */
export function rowFromItem(item: Item, loan?: Loan): ListRow {
  const parts = item.effectiveCallNumberComponents;
  return {
    ...(loan && rowFromLoan(loan)),
    key: item.id,
    title: item.title ?? "",
    itemId: item.id,
    barcode: item.barcode,
    callNumber: [parts?.prefix, parts?.callNumber, parts?.suffix].filter(Boolean).join(" "),
    location: item.effectiveLocation?.name,
    status: item.status.name,
    since: item.status.date,
    materialType: item.materialType.name,
    item,
  };
}

export function rowFromRequest(request: PatronRequest): ListRow {
  const { item, requester } = request;
  return {
    key: request.id,
    title: request.instance?.title ?? "",
    itemId: request.itemId,
    instanceId: request.instanceId,
    barcode: item?.barcode,
    callNumber: item?.callNumber,
    location: item?.location?.name,
    status: item?.status,
    patronId: request.requesterId,
    patron: personName(requester),
    patronBarcode: requester?.barcode,
    groupId: requester?.patronGroup?.id ?? requester?.patronGroupId,
    group: requester?.patronGroup?.group,
    request,
    servicePoint: request.pickupServicePoint?.name,
    servicePointId: request.pickupServicePointId,
  };
}

/** A record of FOLIO's items-in-transit report. */
export interface ItemInTransit {
  id: string;
  title?: string;
  barcode?: string;
  status?: { name?: string };
  effectiveCallNumberComponents?: { prefix?: string; callNumber?: string; suffix?: string };
  location?: { name?: string };
  inTransitDestinationServicePoint?: { id?: string; name?: string };
  inTransitDestinationServicePointId?: string;
  loan?: { checkInServicePoint?: { name?: string }; checkInDateTime?: string };
  lastCheckIn?: { dateTime?: string; servicePoint?: { name?: string } };
}

export function rowFromItemInTransit(item: ItemInTransit): ListRow {
  const parts = item.effectiveCallNumberComponents;
  return {
    key: item.id,
    title: item.title ?? "",
    itemId: item.id,
    barcode: item.barcode,
    callNumber: [parts?.prefix, parts?.callNumber, parts?.suffix].filter(Boolean).join(" "),
    location: item.location?.name,
    status: item.status?.name,
    since: item.lastCheckIn?.dateTime ?? item.loan?.checkInDateTime,
    lastCheckInPoint: item.lastCheckIn?.servicePoint?.name ?? item.loan?.checkInServicePoint?.name,
    servicePoint: item.inTransitDestinationServicePoint?.name,
    servicePointId: item.inTransitDestinationServicePoint?.id ?? item.inTransitDestinationServicePointId,
  };
}
