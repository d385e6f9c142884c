/** Match profiles: the compared values, in the form that FOLIO stores. Pure. */

import type { MatchDetail, MatchExpression, MatchField, MatchProfile, RecordType } from "../../api/import-profiles.ts";

export const INCOMING_TYPES = ["MARC_BIBLIOGRAPHIC", "MARC_HOLDINGS", "MARC_AUTHORITY", "STATIC_VALUE"] as const;
export const EXISTING_TYPES = [
  "INSTANCE",
  "HOLDINGS",
  "ITEM",
  "AUTHORITY",
  "MARC_BIBLIOGRAPHIC",
  "MARC_HOLDINGS",
  "MARC_AUTHORITY",
] as const;

/** A member that can be matched; `labelKey`: the key of its label in the texts of record forms. */
interface MatchMember {
  path: string;
  labelKey: string;
  /** The member with the type of the value, such as the type of an identifier. */
  type?: string;
}

const matchMember = (path: string, of = path.split(".").at(-1) ?? ""): MatchMember => ({ path, labelKey: of });

export const MEMBERS: Partial<Record<RecordType, readonly MatchMember[]>> = {
  INSTANCE: [
    matchMember("instance.id"),
    matchMember("instance.hrid"),
    { path: "instance.identifiers[].value", labelKey: "identifier", type: "identifierTypeId" },
    matchMember("instance.title"),
    matchMember("instance.statusId"),
  ],
  HOLDINGS: [
    matchMember("holdingsrecord.id"),
    matchMember("holdingsrecord.hrid"),
    matchMember("holdingsrecord.permanentLocationId"),
    matchMember("holdingsrecord.callNumber"),
    matchMember("holdingsrecord.copyNumber"),
    matchMember("holdingsrecord.formerIds[]", "formerIds"),
  ],
  ITEM: [
    matchMember("item.id"),
    matchMember("item.hrid"),
    matchMember("item.barcode"),
    matchMember("item.accessionNumber"),
    matchMember("item.itemIdentifier"),
    matchMember("item.itemLevelCallNumber"),
    matchMember("item.copyNumber"),
    matchMember("item.volume"),
    matchMember("item.permanentLocation.id", "permanentLocation"),
    matchMember("item.effectiveLocation.id", "effectiveLocation"),
    matchMember("item.materialTypeId", "materialType"),
    matchMember("item.status.name", "status.name"),
    matchMember("item.formerIds[]", "formerIds"),
  ],
  AUTHORITY: [matchMember("authority.id"), matchMember("authority.naturalId")],
};

export const isMarc = (type: RecordType) => type.startsWith("MARC_");

const MARC_LABELS = ["field", "indicator1", "indicator2", "recordSubfield"] as const;
export type MarcLabel = (typeof MARC_LABELS)[number];

export const valueAt = ({ fields = [] }: MatchExpression, label: string) =>
  fields.find((field) => field.label === label)?.value ?? "";

/** FOLIO needs all four labels in this order, even if they are empty. */
export function withMarcValue(expression: MatchExpression, label: MarcLabel, value: string): MatchExpression {
  const fields = MARC_LABELS.map(
    (one): MatchField => ({ label: one, value: one === label ? value : valueAt(expression, one) }),
  );
  return { ...expression, fields };
}

export const blankMarc = (): MatchExpression => ({
  dataValueType: "VALUE_FROM_RECORD",
  fields: MARC_LABELS.map((label) => ({ label, value: "" })),
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

/** Changes the record types; expressions that do not fit the new types are reset. */
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

/** The required fields that are empty, such as `incoming.field`. */
export function missingPlaces({
  incomingMatchExpression,
  existingMatchExpression,
  existingRecordType,
}: MatchDetail): string[] {
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

/** Removes an empty qualifier, which the server would apply. */
export function withoutEmptyQualifier(expression: MatchExpression): MatchExpression {
  const { qualifier, ...rest } = expression;
  const filled = Object.entries(qualifier ?? {}).filter(([, value]) => value);
  return filled.length > 0 ? { ...rest, qualifier: Object.fromEntries(filled) } : rest;
}
