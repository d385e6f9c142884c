/** A title, its holdings and its item in one go, for something that goes out over the desk before it is catalogued. */

import type { Stored } from "../editing/spec.ts";

export interface Short {
  barcode: string;
  title: string;
  contributor: string;
  contributorNameTypeId: string | undefined;
  instanceTypeId: string;
  statusId: string | undefined;
  sourceId: string | undefined;
  locationId: string;
  callNumber: string;
  materialTypeId: string;
  loanTypeId: string;
  isHidden: boolean;
}

/** Chosen before anything is sent: what was made already is not made twice. */
export interface Ids {
  title: string;
  holdings: string;
  item: string;
}

export function recordsOf(short: Short, ids: Ids): { title: Stored; holdings: Stored; item: Stored } {
  const hidden = { discoverySuppress: short.isHidden };
  const name = short.contributor.trim();
  const callNumber = short.callNumber.trim();
  const { contributorNameTypeId, statusId, sourceId } = short;
  return {
    title: {
      id: ids.title,
      source: "FOLIO",
      title: short.title.trim(),
      instanceTypeId: short.instanceTypeId,
      ...(name && contributorNameTypeId && { contributors: [{ name, contributorNameTypeId, primary: true }] }),
      ...(statusId && { statusId }),
      ...hidden,
    },
    holdings: {
      id: ids.holdings,
      instanceId: ids.title,
      permanentLocationId: short.locationId,
      ...(callNumber && { callNumber }),
      ...(sourceId && { sourceId }),
      ...hidden,
    },
    item: {
      id: ids.item,
      holdingsRecordId: ids.holdings,
      barcode: short.barcode,
      materialType: { id: short.materialTypeId },
      permanentLoanType: { id: short.loanTypeId },
      status: { name: "Available" },
      ...hidden,
    },
  };
}
