/** One line of a list, whatever it is about: a loan, a copy, a request. */

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
  /** Of the copy. */
  status?: string | undefined;
  /** Since when it has the status, or has been on its way. */
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
  /** Where it was checked out, is to be picked up, or is sent. */
  servicePoint?: string | undefined;
  servicePointId?: string | undefined;
  /** Where it was checked in last. */
  from?: string | undefined;
}

interface Person {
  firstName?: string;
  lastName?: string;
  barcode?: string;
}

const nameOf = (person: Person | undefined) => [person?.lastName, person?.firstName].filter(Boolean).join(", ");

export function ofLoan(loan: Loan): ListRow {
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
    patron: nameOf(borrower),
    patronBarcode: borrower?.barcode,
    groupId: group?.id,
    group: group?.name,
    loan,
    servicePoint: loan.checkoutServicePoint?.name,
    servicePointId: loan.checkoutServicePointId,
  };
}

/** With the loan that it is out on, or was lost on. */
export function ofItem(item: Item, loan?: Loan): ListRow {
  const parts = item.effectiveCallNumberComponents;
  return {
    ...(loan && ofLoan(loan)),
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

export function ofRequest(request: PatronRequest): ListRow {
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
    patron: nameOf(requester),
    patronBarcode: requester?.barcode,
    groupId: requester?.patronGroup?.id ?? requester?.patronGroupId,
    group: requester?.patronGroup?.group,
    request,
    servicePoint: request.pickupServicePoint?.name,
    servicePointId: request.pickupServicePointId,
  };
}

/** An item on its way, as the report of items in transit tells of it. */
export interface Travelling {
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

export function ofTravelling(item: Travelling): ListRow {
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
    from: item.lastCheckIn?.servicePoint?.name ?? item.loan?.checkInServicePoint?.name,
    servicePoint: item.inTransitDestinationServicePoint?.name,
    servicePointId: item.inTransitDestinationServicePoint?.id ?? item.inTransitDestinationServicePointId,
  };
}
