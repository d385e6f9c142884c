/** Positions of the leader and of fields 006, 007 and 008, and the codes that each may have. */

import {
  CATEGORIES_007,
  LEADER_POSITIONS,
  type LeaderPosition,
  parseCodeList,
  SERIAL_006,
  TYPES_006,
} from "./fixed-tables.ts";
import { BLANK, type Draft, type Format, type Items, type Row } from "./record.ts";

export type CodedValue = readonly [code: string, name: string];

export interface FixedPosition {
  code: string;
  name: string;
  length: number;
  /** Each character of the position is chosen separately. */
  isList: boolean;
  isReadOnly: boolean;
  /** The codes to choose from; undefined if the position is typed. */
  values?: readonly CodedValue[] | undefined;
}

/** What `GET /marc-specifications/{format}/008` answers. */
export interface Specification {
  spec: { types: readonly SpecificationType[] };
}

export interface SpecificationType {
  code: string;
  identifiedBy: { or: readonly { tag: string; positions: Readonly<Record<string, readonly string[]>> }[] };
  items: readonly {
    code: string;
    name: string;
    length: number;
    isArray: boolean;
    readOnly: boolean;
    allowedValues?: readonly { code?: string; name?: string }[];
  }[];
}

/** Positions of field 008 that field 006 does not have. */
const NOT_IN_006 = ["Entered", "DtSt", "Date1", "Date2", "Ctry", "Lang", "MRec", "Srce"];
/** Items of a fixed field that are not shown: the server takes them from the leader. */
const HIDDEN_ITEMS = ["Type", "BLvl"];

const TYPE_006: FixedPosition = {
  code: "Type",
  name: "Form of material",
  length: 1,
  isList: false,
  isReadOnly: false,
  values: parseCodeList(TYPES_006),
};

const CATEGORY: FixedPosition = {
  code: "Category",
  name: "Category of material",
  length: 1,
  isList: false,
  isReadOnly: false,
  values: Object.entries(CATEGORIES_007).map(([code, { name }]) => [code, name]),
};

function findType(
  specification: Specification | undefined,
  type: string,
  level: string,
): SpecificationType | undefined {
  return specification?.spec.types.find(({ identifiedBy }) =>
    identifiedBy.or.some(({ positions }) =>
      Object.entries(positions).every(([position, codes]) =>
        codes.includes((Number(position) === 6 ? type : level) || BLANK),
      ),
    ),
  );
}

function partsOfType({ items }: SpecificationType): FixedPosition[] {
  return items.map(({ code, name, length, isArray, readOnly, allowedValues = [] }) => {
    const values = allowedValues.map(({ code = "", name = "" }): CodedValue => [code, name]);
    // Positions with longer codes, or without known codes, are typed.
    const chosen = values.length > 0 && values.every(([code]) => code.length === 1);
    return { code, name, length, isList: isArray, isReadOnly: readOnly, values: chosen ? values : undefined };
  });
}

/** Positions of a field 008 without specification, made from the items of the record. */
const partsFromItems = (items: Items): FixedPosition[] =>
  Object.entries(items)
    .filter(([code]) => !HIDDEN_ITEMS.includes(code))
    .map(([code, value]) => ({
      code,
      name: code,
      length: value.length,
      isList: typeof value !== "string",
      isReadOnly: false,
    }));

/** The positions of a fixed field. `leader` is that of the record. */
export function partsOfField(
  tag: string,
  items: Items,
  leader: string,
  specification: Specification | undefined,
): FixedPosition[] {
  const text = (code: string) => String(items[code] ?? "");
  if (tag === "007") {
    const category = CATEGORIES_007[text("Category")];
    if (category === undefined) return [CATEGORY];
    const parts = category.positions.map(({ code, length, values }): FixedPosition => {
      return {
        code,
        name: code,
        length,
        isList: false,
        isReadOnly: false,
        values: values ? parseCodeList(values) : undefined,
      };
    });
    return [CATEGORY, ...parts];
  }
  if (tag === "006") {
    const isSerial = text("Type") === SERIAL_006;
    const type = findType(specification, isSerial ? "a" : text("Type"), isSerial ? "s" : "m");
    const parts = type ? partsOfType(type).filter(({ code }) => !NOT_IN_006.includes(code)) : partsFromItems(items);
    return [TYPE_006, ...editableParts(parts, items)];
  }
  const type = findType(specification, leader.charAt(6), leader.charAt(7));
  return type ? editableParts(partsOfType(type), items) : partsFromItems(items);
}

/**
 * Leaves out read-only positions except the date entered. The length is at least that of the value: FOLIO's is
 * sometimes too short.
 */
function editableParts(parts: readonly FixedPosition[], items: Items): FixedPosition[] {
  return parts
    .filter(({ isReadOnly, code }) => !isReadOnly || code === "Entered")
    .map((part) => ({ ...part, length: Math.max(part.length, items[part.code]?.length ?? 0) }));
}

/**
 * The code for "nothing chosen": blank or, where blank is not a code of the position, `0` or `|` (no attempt to code).
 */
function blankValue({ values }: FixedPosition): string {
  return [BLANK, "0", "|"].find((sign) => values?.some(([code]) => code === sign)) ?? BLANK;
}

/** Adapts items to other positions: values that fit stay, new positions are blank. */
export function fitItems(items: Items, parts: readonly FixedPosition[]): Items {
  return Object.fromEntries(
    parts.map((part) => {
      const { code, length, isList } = part;
      const blank = blankValue(part);
      const before = items[code];
      const fits = before?.length === length && Array.isArray(before) === isList;
      return [code, fits ? before : isList ? Array<string>(length).fill(blank) : blank.repeat(length)];
    }),
  );
}

/** Date entered on file: the day, as `yymmdd`. */
const dateEntered = (day: Date) => day.toISOString().slice(2, 10).replaceAll("-", "");

/** The items of a new field 006, 007 or 008. */
export function initialItems(tag: string, leader: string, specification: Specification | undefined, day: Date): Items {
  if (tag === "007") return withCategory({}, "t");
  if (tag === "006") return withType({}, "a", leader, specification);
  const lengths: Items = { Entered: dateEntered(day), "Date Ent": dateEntered(day) };
  const parts = partsOfField(tag, lengths, leader, specification);
  return { ...recordTypeItems(leader), ...fitItems(lengths, parts) };
}

export function withCategory(items: Items, category: string): Items {
  const named = { ...items, Category: category };
  return fitItems(named, partsOfField("007", named, "", undefined));
}

export function withType(items: Items, type: string, leader: string, specification: Specification | undefined): Items {
  const named = { ...items, Type: type };
  return fitItems(named, partsOfField("006", named, leader, specification));
}

const recordTypeItems = (leader: string): Items => ({ Type: leader.charAt(6), BLvl: leader.charAt(7) });

/** Changes the leader. Field 008 gets the positions of the new type of record and bibliographic level. */
export function withLeader(draft: Draft, leader: string, specification: Specification | undefined): Draft {
  const isOther = [6, 7].some((position) => leader.charAt(position) !== draft.leader.charAt(position));
  if (!isOther || draft.format !== "BIBLIOGRAPHIC") return { ...draft, leader };
  const follow = (row: Row): Row => {
    if (row.tag !== "008" || row.items === undefined) return row;
    const type = findType(specification, leader.charAt(6), leader.charAt(7));
    const known = type ? fitItems(row.items, editableParts(partsOfType(type), row.items)) : row.items;
    return { ...row, items: { ...known, ...recordTypeItems(leader) } };
  };
  return { ...draft, leader, rows: draft.rows.map(follow) };
}

export const leaderPositions = (format: Format): readonly LeaderPosition[] => LEADER_POSITIONS[format];

export function withPosition(leader: string, position: number, value: string): string {
  return leader.padEnd(24, BLANK).slice(0, position) + value + leader.padEnd(24, BLANK).slice(position + value.length);
}
