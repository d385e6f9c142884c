/** Fee/fine owners, types, payment methods, waive and refund reasons, transfer accounts (mod-feesfines). */

import type { Kind, SettingRecord } from "../kind.ts";

interface OwnerServicePoint {
  value: string;
  label?: string;
}

export const owners: Kind = {
  name: "owners",
  slug: "fee-owners",
  path: "/owners",
  collection: "owners",
  title: "owner",
  rights: "owners",
  blank: {},
  sections: (words) => [
    {
      fields: [
        { is: "text", at: "owner", label: words.name, required: true },
        { is: "text", at: "desc", label: words.description, lines: 2 },
        { is: "many", at: "points", label: words.fee.points, help: words.fee.pointsHelp, from: "servicePoints" },
      ],
    },
    {
      title: words.fee.notices,
      help: words.fee.ownerNotices,
      fields: [
        { is: "choice", at: "defaultChargeNoticeId", label: words.fee.chargeNotice, from: "templates" },
        { is: "choice", at: "defaultActionNoticeId", label: words.fee.actionNotice, from: "templates" },
      ],
    },
  ],
  read: (record) => ({
    ...record,
    points: ((record.servicePointOwner ?? []) as OwnerServicePoint[]).map(({ value }) => value),
  }),
  write: ({ points = [], ...record }, options) => {
    const names = new Map(options("servicePoints").map(({ id, name }) => [id, name]));
    return {
      ...record,
      servicePointOwner: (points as string[]).map((value) => ({ value, label: names.get(value) ?? "" })),
    };
  },
  summary: ({ servicePointOwner = [] }) =>
    (servicePointOwner as OwnerServicePoint[]).map(({ label }) => label).join(", "),
};

export const feeTypes: Kind = {
  name: "feeTypes",
  slug: "fee-types",
  path: "/feefines",
  collection: "feefines",
  title: "feeFineType",
  rights: "feefines",
  blank: { automatic: false },
  // Automatic fee/fine types must keep their names.
  may: ({ automatic }) => automatic !== true,
  sections: (words, { automatic }) => [
    {
      fields: [
        { is: "text", at: "feeFineType", label: words.name, required: true },
        {
          is: "choice",
          at: "ownerId",
          label: words.fee.owner,
          from: "owners",
          required: true,
          shows: () => automatic !== true,
        },
        { is: "money", at: "defaultAmount", label: words.fee.amount, help: words.fee.amountHelp },
      ],
    },
    {
      title: words.fee.notices,
      help: words.fee.typeNotices,
      fields: [
        { is: "choice", at: "chargeNoticeId", label: words.fee.chargeNotice, from: "templates" },
        { is: "choice", at: "actionNoticeId", label: words.fee.actionNotice, from: "templates" },
      ],
    },
  ],
  summary: ({ automatic, defaultAmount }, words, formats) =>
    automatic === true ? words.fee.automatic : defaultAmount ? formats.money(Number(defaultAmount)) : "",
};

export const payments: Kind = {
  name: "payments",
  slug: "payment-methods",
  path: "/payments",
  collection: "payments",
  title: "nameMethod",
  rights: "payments",
  blank: { allowedRefundMethod: true },
  sections: (words) => [
    {
      fields: [
        { is: "text", at: "nameMethod", label: words.name, required: true },
        { is: "choice", at: "ownerId", label: words.fee.owner, from: "owners", required: true },
        { is: "yes", at: "allowedRefundMethod", label: words.fee.refundable },
      ],
    },
  ],
};

const reasonKind = (name: "waives" | "refunds", slug: string, collection: string): Kind => ({
  name,
  slug,
  path: `/${name}`,
  collection,
  title: "nameReason",
  rights: name,
  blank: {},
  sections: (words) => [
    {
      fields: [
        { is: "text", at: "nameReason", label: words.fee.reason, required: true },
        { is: "text", at: "description", label: words.description, lines: 2 },
      ],
    },
  ],
  summary: ({ description = "" }: SettingRecord) => String(description),
});

export const waives = reasonKind("waives", "waive-reasons", "waivers");
export const refunds = reasonKind("refunds", "refund-reasons", "refunds");

export const transfers: Kind = {
  name: "transfers",
  slug: "transfer-accounts",
  path: "/transfers",
  collection: "transfers",
  title: "accountName",
  rights: "transfers",
  blank: {},
  sections: (words) => [
    {
      fields: [
        { is: "text", at: "accountName", label: words.name, required: true },
        { is: "choice", at: "ownerId", label: words.fee.owner, from: "owners", required: true },
        { is: "text", at: "desc", label: words.description, lines: 2 },
      ],
    },
  ],
  summary: ({ desc = "" }) => String(desc),
};
