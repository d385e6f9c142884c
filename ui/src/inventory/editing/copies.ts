/**
 * Several items that are added at once: the values that differ between them, and which of them the server has stored.
 */

export interface NewCopy {
  /** Chosen here, so that an item that is sent twice is created once. */
  id: string;
  barcode: string;
  volume: string;
  copyNumber: string;
  /** The server has stored this item. */
  isMade?: boolean;
}

/** The volume and copy number of the first item, from which the others are counted up. */
export interface FirstNumbers {
  volume: string;
  copyNumber: string;
}

export const MAX_COPIES = 200;

/** Counts up the last number in a text, such as `v.1`, and keeps its leading zeros; a text without a number stays. */
export function countOn(first: string, steps: number): string {
  return first.replace(/\d+(?=\D*$)/, (number) => String(Number(number) + steps).padStart(number.length, "0"));
}

/** Changes the number of rows; existing rows keep their values, and stored items stay. */
export function resizeCopies(
  copies: readonly NewCopy[],
  count: number,
  { volume, copyNumber }: FirstNumbers,
): NewCopy[] {
  const made = copies.filter(({ isMade }) => isMade).length;
  const wanted = Math.max(made, Math.min(count, MAX_COPIES), 1);
  const more = Array.from({ length: Math.max(0, wanted - copies.length) }, (_, index) => ({
    id: crypto.randomUUID(),
    barcode: "",
    volume: countOn(volume, copies.length + index),
    copyNumber: countOn(copyNumber, copies.length + index),
  }));
  return [...copies, ...more].slice(0, wanted);
}

/** Numbers all rows that are not stored yet again. */
export const renumberCopies = (copies: readonly NewCopy[], member: keyof FirstNumbers, first: string): NewCopy[] =>
  copies.map((copy, index) => (copy.isMade ? copy : { ...copy, [member]: countOn(first, index) }));

/** Puts a scanned barcode into the first row without one, or into a new row. */
export function addScannedBarcode(copies: readonly NewCopy[], barcode: string, counting: FirstNumbers): NewCopy[] {
  // A barcode that is scanned twice does not make two items.
  if (copies.some((copy) => copy.barcode === barcode)) return [...copies];
  const rows = copies.some((copy) => copy.barcode === "")
    ? [...copies]
    : resizeCopies(copies, copies.length + 1, counting);
  const index = rows.findIndex((copy) => copy.barcode === "");
  return rows.map((copy, at) => (at === index ? { ...copy, barcode } : copy));
}

/** The members of an item that differ from the other items. */
export const copyMembers = ({ id, ...texts }: NewCopy): Record<string, string> => {
  const said = [texts.barcode, texts.volume, texts.copyNumber].map((text) => text.trim());
  const members = ["barcode", "volume", "copyNumber"].map((name, index) => [name, said[index] ?? ""] as const);
  return { id, ...Object.fromEntries(members.filter(([, text]) => text !== "")) };
};
