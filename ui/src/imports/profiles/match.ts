/** What a match profile compares, as FOLIO writes it down. Pure. */

import type { MatchDetail, MatchExpression, MatchField, MatchProfile, RecordType } from "../../api/import-profiles.ts";

export const INCOMING = ["MARC_BIBLIOGRAPHIC", "MARC_HOLDINGS", "MARC_AUTHORITY", "STATIC_VALUE"] as const;
export const EXISTING = [
  "INSTANCE",
  "HOLDINGS",
  "ITEM",
  "AUTHORITY",
  "MARC_BIBLIOGRAPHIC",
  "MARC_HOLDINGS",
  "MARC_AUTHORITY",
] as const;

/** The members of records that can be matched; `of`: the name of its label, as the forms of records call it. */
interface Member {
  path: string;
  of: string;
  /** The member that says of which type a value is. */
  type?: string;
}

const member = (path: string, of = path.split(".").at(-1) ?? ""): Member => ({ path, of });

export const MEMBERS: Partial<Record<RecordType, readonly Member[]>> = {
  INSTANCE: [
    member("instance.id"),
    member("instance.hrid"),
    { path: "instance.identifiers[].value", of: "identifier", type: "identifierTypeId" },
    member("instance.title"),
    member("instance.statusId"),
  ],
  HOLDINGS: [
    member("holdingsrecord.id"),
    member("holdingsrecord.hrid"),
    member("holdingsrecord.permanentLocationId"),
    member("holdingsrecord.callNumber"),
    member("holdingsrecord.copyNumber"),
    member("holdingsrecord.formerIds[]", "formerIds"),
  ],
  ITEM: [
    member("item.id"),
    member("item.hrid"),
    member("item.barcode"),
    member("item.accessionNumber"),
    member("item.itemIdentifier"),
    member("item.itemLevelCallNumber"),
    member("item.copyNumber"),
    member("item.volume"),
    member("item.permanentLocation.id", "permanentLocation"),
    member("item.effectiveLocation.id", "effectiveLocation"),
    member("item.materialTypeId", "materialType"),
    member("item.status.name", "status.name"),
    member("item.formerIds[]", "formerIds"),
  ],
  AUTHORITY: [member("authority.id"), member("authority.naturalId")],
};

export const isMarc = (type: RecordType) => type.startsWith("MARC_");

const LABELS = ["field", "indicator1", "indicator2", "recordSubfield"] as const;
export type Label = (typeof LABELS)[number];

export const valueAt = ({ fields = [] }: MatchExpression, label: string) =>
  fields.find((field) => field.label === label)?.value ?? "";

/** FOLIO wants all four, filled or not, in this order. */
export function withMarc(expression: MatchExpression, label: Label, value: string): MatchExpression {
  const fields = LABELS.map(
    (one): MatchField => ({ label: one, value: one === label ? value : valueAt(expression, one) }),
  );
  return { ...expression, fields };
}

export const blankMarc = (): MatchExpression => ({
  dataValueType: "VALUE_FROM_RECORD",
  fields: LABELS.map((label) => ({ label, value: "" })),
});

export function withMember(expression: MatchExpression, type: RecordType, path: string): MatchExpression {
  const known = MEMBERS[type]?.find((one) => one.path === path);
  const fields: MatchField[] = [{ label: "field", value: path }];
  if (known?.type) fields.push({ label: known.type, value: valueAt(expression, known.type) });
  return { ...expression, dataValueType: "VALUE_FROM_RECORD", fields };
}

export const blankDetail = (incoming: RecordType, existing: RecordType): MatchDetail => ({
  incomingRecordType: incoming,
  existingRecordType: existing,
  incomingMatchExpression:
    incoming === "STATIC_VALUE"
      ? { dataValueType: "STATIC_VALUE", staticValueDetails: { staticValueType: "TEXT" } }
      : blankMarc(),
  matchCriterion: "EXACTLY_MATCHES",
  existingMatchExpression: blankExisting(existing),
});

export const blankExisting = (type: RecordType) =>
  isMarc(type) ? blankMarc() : withMember({ dataValueType: "VALUE_FROM_RECORD" }, type, MEMBERS[type]?.[0]?.path ?? "");

/** Other records are compared in other fields: what was said of the former ones goes. */
export function withTypes(profile: MatchProfile, incoming: RecordType, existing: RecordType): MatchProfile {
  const [detail = blankDetail(incoming, existing)] = profile.matchDetails ?? [];
  const blank = blankDetail(incoming, existing);
  const keepsIncoming = isMarc(incoming) && isMarc(detail.incomingRecordType);
  const keepsExisting =
    existing === detail.existingRecordType || (isMarc(existing) && isMarc(detail.existingRecordType));
  return {
    ...profile,
    incomingRecordType: incoming,
    existingRecordType: existing,
    matchDetails: [
      {
        ...detail,
        incomingRecordType: incoming,
        existingRecordType: existing,
        incomingMatchExpression: keepsIncoming ? detail.incomingMatchExpression : blank.incomingMatchExpression,
        existingMatchExpression: keepsExisting ? detail.existingMatchExpression : blank.existingMatchExpression,
      },
    ],
  };
}

const TAG = /^\d{3}$/;

/** The places of what is missing, beginning with the side. */
export function lacks({ incomingMatchExpression, existingMatchExpression, existingRecordType }: MatchDetail): string[] {
  const marc = (side: string, expression: MatchExpression) => {
    const tag = valueAt(expression, "field").trim();
    const wrong = TAG.test(tag) ? [] : [`${side}.field`];
    // Fields below 010 have no subfields.
    const needsCode = TAG.test(tag) && Number(tag) >= 10 && valueAt(expression, "recordSubfield").trim() === "";
    return needsCode ? [...wrong, `${side}.recordSubfield`] : wrong;
  };
  const { staticValueDetails: fixed = {} } = incomingMatchExpression;
  const values = {
    TEXT: [["text", fixed.text]],
    NUMBER: [["number", fixed.number]],
    EXACT_DATE: [["exactDate", fixed.exactDate]],
    DATE_RANGE: [
      ["fromDate", fixed.fromDate],
      ["toDate", fixed.toDate],
    ],
  }[fixed.staticValueType ?? "TEXT"] as [string, string | undefined][];
  const incoming =
    incomingMatchExpression.dataValueType === "STATIC_VALUE"
      ? values.filter(([, value]) => !value).map(([name]) => `incoming.${name}`)
      : marc("incoming", incomingMatchExpression);
  if (isMarc(existingRecordType)) return [...incoming, ...marc("existing", existingMatchExpression)];
  const needsType = existingMatchExpression.fields?.some(({ label, value }) => label !== "field" && value === "");
  return needsType ? [...incoming, "existing.type"] : incoming;
}

/** What is blank is not sent: the server takes an empty qualifier for one. */
export function tidy(expression: MatchExpression): MatchExpression {
  const { qualifier, ...rest } = expression;
  const filled = Object.entries(qualifier ?? {}).filter(([, value]) => value);
  return filled.length > 0 ? { ...rest, qualifier: Object.fromEntries(filled) } : rest;
}
