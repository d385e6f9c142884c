/** Several copies that are added at once: what is different about each, and which of them the server has already. */

export interface Copy {
  /** Chosen here: a copy that was sent twice is made once. */
  id: string;
  barcode: string;
  volume: string;
  copyNumber: string;
  /** The server has it. */
  isMade?: boolean;
}

/** From what the first is called the others count on. */
export interface Counting {
  volume: string;
  copyNumber: string;
}

export const MOST_COPIES = 200;

/** `v.1` and its successors: the last number in a text goes on, with its leading zeros; a text without a number stays. */
export function countedOn(first: string, steps: number): string {
  return first.replace(/\d+(?=\D*$)/, (number) => String(Number(number) + steps).padStart(number.length, "0"));
}

/** As many rows; those that are there keep what stands in them. What the server has made stays. */
export function asMany(copies: readonly Copy[], count: number, { volume, copyNumber }: Counting): Copy[] {
  const made = copies.filter(({ isMade }) => isMade).length;
  const wanted = Math.max(made, Math.min(count, MOST_COPIES), 1);
  const more = Array.from({ length: Math.max(0, wanted - copies.length) }, (_, index) => ({
    id: crypto.randomUUID(),
    barcode: "",
    volume: countedOn(volume, copies.length + index),
    copyNumber: countedOn(copyNumber, copies.length + index),
  }));
  return [...copies, ...more].slice(0, wanted);
}

/** All rows numbered anew. */
export const numbered = (copies: readonly Copy[], member: keyof Counting, first: string): Copy[] =>
  copies.map((copy, index) => (copy.isMade ? copy : { ...copy, [member]: countedOn(first, index) }));

/** A scan goes into the first row without a barcode; where there is none, it is another copy. */
export function scannedInto(copies: readonly Copy[], barcode: string, counting: Counting): Copy[] {
  // A card or a copy that is scanned twice is not two copies.
  if (copies.some((copy) => copy.barcode === barcode)) return [...copies];
  const rows = copies.some((copy) => copy.barcode === "") ? [...copies] : asMany(copies, copies.length + 1, counting);
  const index = rows.findIndex((copy) => copy.barcode === "");
  return rows.map((copy, at) => (at === index ? { ...copy, barcode } : copy));
}

/** What of a copy is stored, beside what it has in common with the others. */
export const ownOf = ({ id, ...texts }: Copy): Record<string, string> => {
  const said = [texts.barcode, texts.volume, texts.copyNumber].map((text) => text.trim());
  const members = ["barcode", "volume", "copyNumber"].map((name, index) => [name, said[index] ?? ""] as const);
  return { id, ...Object.fromEntries(members.filter(([, text]) => text !== "")) };
};
