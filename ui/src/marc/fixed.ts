/** The forms of the leader and of fields 006, 007 and 008: which positions there are, and what may stand in each. */

import { CATEGORIES, LEADER, type LeaderPosition, pairs, SERIAL_006, TYPES_006 } from "./fixed-tables.ts";
import { BLANK, type Draft, type Format, type Items, type Row } from "./record.ts";

export type Value = readonly [code: string, name: string];

export interface Part {
  code: string;
  name: string;
  length: number;
  /** Its characters are chosen each for itself. */
  isList: boolean;
  isReadOnly: boolean;
  /** None: it is written by hand. */
  values?: readonly Value[] | undefined;
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

/** Positions of field 008 that field 006 has not. */
const NOT_IN_006 = ["Entered", "DtSt", "Date1", "Date2", "Ctry", "Lang", "MRec", "Srce"];
/** What the server makes of the leader, and the name of the category of 007. */
const HIDDEN = ["Type", "BLvl"];

const TYPE_006: Part = {
  code: "Type",
  name: "Form of material",
  length: 1,
  isList: false,
  isReadOnly: false,
  values: pairs(TYPES_006),
};

const CATEGORY: Part = {
  code: "Category",
  name: "Category of material",
  length: 1,
  isList: false,
  isReadOnly: false,
  values: Object.entries(CATEGORIES).map(([code, { name }]) => [code, name]),
};

function typeOf(specification: Specification | undefined, type: string, level: string): SpecificationType | undefined {
  return specification?.spec.types.find(({ identifiedBy }) =>
    identifiedBy.or.some(({ positions }) =>
      Object.entries(positions).every(([position, codes]) =>
        codes.includes((Number(position) === 6 ? type : level) || BLANK),
      ),
    ),
  );
}

function partsOf({ items }: SpecificationType): Part[] {
  return items.map(({ code, name, length, isArray, readOnly, allowedValues = [] }) => {
    const values = allowedValues.map(({ code = "", name = "" }): Value => [code, name]);
    // Codes of several characters, or none that are known: by hand.
    const chosen = values.length > 0 && values.every(([code]) => code.length === 1);
    return { code, name, length, isList: isArray, isReadOnly: readOnly, values: chosen ? values : undefined };
  });
}

/** Of a field 008 about whose positions nothing is known: those that came. */
const partsThatCame = (items: Items): Part[] =>
  Object.entries(items)
    .filter(([code]) => !HIDDEN.includes(code))
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
): Part[] {
  const text = (code: string) => String(items[code] ?? "");
  if (tag === "007") {
    const category = CATEGORIES[text("Category")];
    if (category === undefined) return [CATEGORY];
    const parts = category.positions.map(({ code, length, values }): Part => {
      return { code, name: code, length, isList: false, isReadOnly: false, values: values ? pairs(values) : undefined };
    });
    return [CATEGORY, ...parts];
  }
  if (tag === "006") {
    const isSerial = text("Type") === SERIAL_006;
    const type = typeOf(specification, isSerial ? "a" : text("Type"), isSerial ? "s" : "m");
    const parts = type ? partsOf(type).filter(({ code }) => !NOT_IN_006.includes(code)) : partsThatCame(items);
    return [TYPE_006, ...shown(parts, items)];
  }
  const type = typeOf(specification, leader.charAt(6), leader.charAt(7));
  return type ? shown(partsOf(type), items) : partsThatCame(items);
}

/** What is undefined in the standard is left as it is; the length is that of what is there, as FOLIO tells some of them wrong. */
function shown(parts: readonly Part[], items: Items): Part[] {
  return parts
    .filter(({ isReadOnly, code }) => !isReadOnly || code === "Entered")
    .map((part) => ({ ...part, length: Math.max(part.length, items[part.code]?.length ?? 0) }));
}

/** A blank is no value of some positions: there it is `0`, mostly a no, or that nobody has tried to code it. */
function blankOf({ values }: Part): string {
  return [BLANK, "0", "|"].find((sign) => values?.some(([code]) => code === sign)) ?? BLANK;
}

/** The items that a field has after its kind of material has changed: what fits stays, what is new is blank. */
export function fitted(items: Items, parts: readonly Part[]): Items {
  return Object.fromEntries(
    parts.map((part) => {
      const { code, length, isList } = part;
      const blank = blankOf(part);
      const before = items[code];
      const fits = before?.length === length && Array.isArray(before) === isList;
      return [code, fits ? before : isList ? Array<string>(length).fill(blank) : blank.repeat(length)];
    }),
  );
}

/** Date entered on file: the day, as `yymmdd`. */
const entered = (day: Date) => day.toISOString().slice(2, 10).replaceAll("-", "");

/** A field 008 (or 006, 007) as it begins. */
export function fresh(tag: string, leader: string, specification: Specification | undefined, day: Date): Items {
  if (tag === "007") return withCategory({}, "t");
  if (tag === "006") return withType({}, "a", leader, specification);
  const lengths: Items = { Entered: entered(day), "Date Ent": entered(day) };
  const parts = partsOfField(tag, lengths, leader, specification);
  return { ...materialOf(leader), ...fitted(lengths, parts) };
}

export function withCategory(items: Items, category: string): Items {
  const named = { ...items, Category: category };
  return fitted(named, partsOfField("007", named, "", undefined));
}

export function withType(items: Items, type: string, leader: string, specification: Specification | undefined): Items {
  const named = { ...items, Type: type };
  return fitted(named, partsOfField("006", named, leader, specification));
}

const materialOf = (leader: string): Items => ({ Type: leader.charAt(6), BLvl: leader.charAt(7) });

/** A field 008 follows the type of record and the bibliographic level that the leader names. */
export function withLeader(draft: Draft, leader: string, specification: Specification | undefined): Draft {
  const isOther = [6, 7].some((position) => leader.charAt(position) !== draft.leader.charAt(position));
  if (!isOther || draft.format !== "BIBLIOGRAPHIC") return { ...draft, leader };
  const follow = (row: Row): Row => {
    if (row.tag !== "008" || row.items === undefined) return row;
    const type = typeOf(specification, leader.charAt(6), leader.charAt(7));
    const known = type ? fitted(row.items, shown(partsOf(type), row.items)) : row.items;
    return { ...row, items: { ...known, ...materialOf(leader) } };
  };
  return { ...draft, leader, rows: draft.rows.map(follow) };
}

export const leaderPositions = (format: Format): readonly LeaderPosition[] => LEADER[format];

export function withPosition(leader: string, position: number, value: string): string {
  return leader.padEnd(24, BLANK).slice(0, position) + value + leader.padEnd(24, BLANK).slice(position + value.length);
}
