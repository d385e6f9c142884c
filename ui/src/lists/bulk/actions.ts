/** The actions for the ticked rows of a list. */

import type { PatronRequest } from "../../api/records.ts";
import { LOAN_ACTIONS } from "../../loans/actions.tsx";
import type { ListRow } from "../row.ts";
import type { BulkOrder } from "./orders.ts";

/** The values in the form of an action, by the names of its fields. */
export type FormValues = Record<string, string>;

export const LOAN_ACTION_NAMES = ["renew", "changeDueDate", "claimReturned", "markMissing", "declareLost"] as const;
export const REQUEST_ACTION_NAMES = ["edit", "move", "cancel"] as const;
export type ActionName = (typeof LOAN_ACTION_NAMES)[number] | (typeof REQUEST_ACTION_NAMES)[number];

/** What an order depends on besides the row and the form: who does it, and the days of the library's time zone. */
export interface BulkContext {
  userId: string;
  /** The last moment of a day in the library's time zone, as an instant. */
  endOfDay: (day: string) => string;
  /** The day of an instant in the library's time zone. */
  isoDay: (instant: string) => string;
  /** The form shows the values of a single row. In a form for many rows, an empty field changes nothing. */
  isSingleRow: boolean;
}

export interface BulkAction {
  name: ActionName;
  needs: readonly string[];
  suits: (row: ListRow) => boolean;
  /** The change to send for a row; undefined if nothing would change. */
  order: (row: ListRow, said: FormValues, around: BulkContext) => BulkOrder | undefined;
}

const renewAction: BulkAction = {
  name: "renew",
  needs: ["circulation.renew-by-id.post"],
  suits: isCheckedOut,
  order: ({ loan }) =>
    loan && {
      do: "renew",
      loanId: loan.id,
      itemId: loan.itemId,
      userId: loan.userId ?? "",
      renewals: loan.renewalCount ?? 0,
    },
};

const STATUS_AFTER_ACTION: Record<string, string> = {
  claimReturned: "Claimed returned",
  markMissing: "Missing",
  declareLost: "Declared lost",
};

/**
 * The actions of a loan on a patron's page, without "Add staff information", which is written for each loan separately.
 */
const loanActions: BulkAction[] = LOAN_ACTIONS.filter(({ name }) => name !== "addStaffInfo").map((action) => ({
  name: action.name as ActionName,
  needs: [action.needs],
  suits: (row) => isCheckedOut(row) && row.loan !== undefined && action.isPossible(row.loan),
  order: ({ loan }, said, { endOfDay }) =>
    loan && {
      do: "loan",
      loanId: loan.id,
      path: action.path,
      body: action.body({
        comment: said.comment ?? "",
        dueDate: action.input === "day" ? endOfDay(said.day ?? "") : "",
      }),
      becomes: STATUS_AFTER_ACTION[action.name],
    },
}));

const editAction: BulkAction = {
  name: "edit",
  needs: ["circulation.requests.item.get", "circulation.requests.item.put"],
  suits: isOpenRequest,
  order: ({ request }, said, around) => {
    const change = request && requestChange(request, said, around);
    return change && Object.keys(change).length > 0 ? { do: "request", id: request.id, change } : undefined;
  },
};

/**
 * The members of the request that differ from the form. The patron's comment is not among them: FOLIO lets nobody
 * change it.
 */
export function requestChange(
  request: PatronRequest,
  said: FormValues,
  { endOfDay, isoDay, isSingleRow }: BulkContext,
): Record<string, unknown> {
  const { pickup, address, wanted, kept } = said;
  const isDelivered = Boolean(address);
  const place = isDelivered
    ? { fulfillmentPreference: "Delivery", deliveryAddressTypeId: address, pickupServicePointId: null }
    : { fulfillmentPreference: "Hold Shelf", pickupServicePointId: pickup, deliveryAddressTypeId: null };
  const isElsewhere = isDelivered
    ? address !== request.deliveryAddressTypeId || request.fulfillmentPreference !== "Delivery"
    : Boolean(pickup) && pickup !== request.pickupServicePointId;
  // Days are compared, since the hour of a stored date need not be the end of its day. An emptied date is removed.
  const dateChange = (member: string, day: string | undefined, instant: string | undefined) => {
    if (day) return day === (instant && isoDay(instant)) ? {} : { [member]: endOfDay(day) };
    return day === "" && instant && isSingleRow ? { [member]: null } : {};
  };
  return {
    ...(isElsewhere && place),
    ...dateChange("requestExpirationDate", wanted, request.requestExpirationDate),
    ...(request.status === "Open - Awaiting pickup" &&
      dateChange("holdShelfExpirationDate", kept, request.holdShelfExpirationDate)),
  };
}

const cancelAction: BulkAction = {
  name: "cancel",
  needs: ["circulation.requests.item.get", "circulation.requests.item.put"],
  suits: isOpenRequest,
  order: ({ request }, said, { userId }) =>
    request && {
      do: "request",
      id: request.id,
      change: {
        status: "Closed - Cancelled",
        cancellationReasonId: said.reason,
        cancelledByUserId: userId,
        cancelledDate: new Date().toISOString(),
        ...(said.comment && { cancellationAdditionalInformation: said.comment }),
      },
    },
};

const moveAction: BulkAction = {
  name: "move",
  needs: ["circulation.requests.item.move.post", "inventory.items.collection.get"],
  suits: (row) => isOpenRequest(row) && row.request?.status === "Open - Not yet filled",
  order: ({ request, instanceId }, said) => {
    // A request can be moved only to an item of the same title.
    if (!request || !said.item || instanceId !== said.instance || request.itemId === said.item) return undefined;
    return {
      do: "move",
      id: request.id,
      body: { destinationItemId: said.item, requestType: said.type || request.requestType },
    };
  },
};

export const BULK_ACTIONS: readonly BulkAction[] = [renewAction, ...loanActions, editAction, moveAction, cancelAction];

function isCheckedOut({ loan }: ListRow): boolean {
  return loan?.status?.name === "Open";
}

function isOpenRequest({ request }: ListRow): boolean {
  return request?.status.startsWith("Open") ?? false;
}

export const rowLabel = ({ title, patron }: ListRow) => [title, patron].filter(Boolean).join(" · ");
