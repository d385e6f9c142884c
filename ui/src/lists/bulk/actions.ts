/** What can be done with the ticked rows of a list. */

import type { PatronRequest } from "../../api/records.ts";
import { ACTIONS as LOAN_ACTIONS } from "../../loans/actions.tsx";
import type { ListRow } from "../row.ts";
import type { Order } from "./orders.ts";

/** What somebody has filled in, by the names of the fields. */
export type Said = Record<string, string>;

export const LOAN_NAMES = ["renew", "changeDueDate", "claimReturned", "markMissing", "declareLost"] as const;
export const REQUEST_NAMES = ["edit", "move", "cancel"] as const;
export type ActionName = (typeof LOAN_NAMES)[number] | (typeof REQUEST_NAMES)[number];

/** What an order needs to know besides the row. */
export interface Around {
  userId: string;
  /** The last second of a day in the library. */
  endOf: (day: string) => string;
}

export interface BulkAction {
  name: ActionName;
  needs: readonly string[];
  suits: (row: ListRow) => boolean;
  /** Nothing where nothing would change. */
  order: (row: ListRow, said: Said, around: Around) => Order | undefined;
}

const renewing: BulkAction = {
  name: "renew",
  needs: ["circulation.renew-by-id.post"],
  suits: isOut,
  order: ({ loan }) =>
    loan && {
      do: "renew",
      loanId: loan.id,
      itemId: loan.itemId,
      userId: loan.userId ?? "",
      renewals: loan.renewalCount ?? 0,
    },
};

const BECOMES: Record<string, string> = {
  claimReturned: "Claimed returned",
  markMissing: "Missing",
  declareLost: "Declared lost",
};

/** As on a patron's page; remarks are written loan by loan. */
const ofLoans: BulkAction[] = LOAN_ACTIONS.filter(({ name }) => name !== "addStaffInfo").map((action) => ({
  name: action.name as ActionName,
  needs: [action.needs],
  suits: (row) => isOut(row) && row.loan !== undefined && action.suits(row.loan),
  order: ({ loan }, said, { endOf }) =>
    loan && {
      do: "loan",
      loanId: loan.id,
      path: action.path,
      body: action.body({ comment: said.comment ?? "", dueDate: action.asks === "day" ? endOf(said.day ?? "") : "" }),
      becomes: BECOMES[action.name],
    },
}));

const editing: BulkAction = {
  name: "edit",
  needs: ["circulation.requests.item.get", "circulation.requests.item.put"],
  suits: isWaiting,
  order: ({ request }, said, around) => {
    const change = request && changeOf(request, said, around);
    return change && Object.keys(change).length > 0 ? { do: "request", id: request.id, change } : undefined;
  },
};

/** Only what differs from what the request says. A patron's comment is theirs: FOLIO lets nobody change it. */
export function changeOf(request: PatronRequest, said: Said, { endOf }: Around): Record<string, unknown> {
  const { pickup, address, wanted, kept } = said;
  const isDelivered = Boolean(address);
  const place = isDelivered
    ? { fulfillmentPreference: "Delivery", deliveryAddressTypeId: address, pickupServicePointId: null }
    : { fulfillmentPreference: "Hold Shelf", pickupServicePointId: pickup, deliveryAddressTypeId: null };
  const isElsewhere = isDelivered
    ? address !== request.deliveryAddressTypeId || request.fulfillmentPreference !== "Delivery"
    : Boolean(pickup) && pickup !== request.pickupServicePointId;
  const isOtherDay = (day: string | undefined, instant: string | undefined) =>
    Boolean(day) && (instant === undefined || Date.parse(endOf(day ?? "")) !== Date.parse(instant));
  return {
    ...(isElsewhere && place),
    ...(isOtherDay(wanted, request.requestExpirationDate) && { requestExpirationDate: endOf(wanted ?? "") }),
    ...(isOtherDay(kept, request.holdShelfExpirationDate) &&
      request.status === "Open - Awaiting pickup" && { holdShelfExpirationDate: endOf(kept ?? "") }),
  };
}

const cancelling: BulkAction = {
  name: "cancel",
  needs: ["circulation.requests.item.get", "circulation.requests.item.put"],
  suits: isWaiting,
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

const moving: BulkAction = {
  name: "move",
  needs: ["circulation.requests.item.move.post", "inventory.items.collection.get"],
  suits: (row) => isWaiting(row) && row.request?.status === "Open - Not yet filled",
  order: ({ request, instanceId }, said) => {
    // An item takes requests for its own title.
    if (!request || !said.item || instanceId !== said.instance || request.itemId === said.item) return undefined;
    return {
      do: "move",
      id: request.id,
      body: { destinationItemId: said.item, requestType: said.type || request.requestType },
    };
  },
};

export const BULK_ACTIONS: readonly BulkAction[] = [renewing, ...ofLoans, editing, moving, cancelling];

function isOut({ loan }: ListRow): boolean {
  return loan?.status?.name === "Open";
}

function isWaiting({ request }: ListRow): boolean {
  return request?.status.startsWith("Open") ?? false;
}

export const labelOf = ({ title, patron }: ListRow) => [title, patron].filter(Boolean).join(" · ");
