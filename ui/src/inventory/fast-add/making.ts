/** The title, holdings and item that fast add creates for an item that is checked out before it is catalogued. */

import type { RecordJson } from "../editing/spec.ts";

export interface FastAddInput {
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

/** Chosen before anything is sent, so that records are not created twice. */
export interface FastAddIds {
  title: string;
  holdings: string;
  item: string;
}

export function toFastAddRecords(
  short: FastAddInput,
  ids: FastAddIds,
): { title: RecordJson; holdings: RecordJson; item: RecordJson } {
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
