/**
 * To the browser a scanner is a keyboard: it types a barcode and Enter, quicker than any hand. So a scan can be told from what a
 * person types, wherever the focus is.
 */

/** Between two keys of a scan, and on average, in milliseconds; slow scanners with radio come close to it. */
const GAP_MS = 100;
const AVERAGE_MS = 40;
const SHORTEST = 5;

export interface Burst {
  text: string;
  field: EventTarget | null;
  /** The text of the field before the burst. */
  before: string;
}

interface Typed extends Burst {
  first: number;
  last: number;
}

let typed: Typed | undefined;

export const isCharacter = ({ key, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent) =>
  key.length === 1 && !ctrlKey && !altKey && !metaKey && !isComposing;

/** To be told of every key. The whole burst with the Enter that ends it; before that `growing` from its second character on. */
export function burstWith(event: KeyboardEvent): Burst | "growing" | undefined {
  const { key, target: field, timeStamp: now } = event;
  if (key === "Shift") return undefined;
  const before = typed?.field === field && now - typed.last <= GAP_MS && !event.repeat ? typed : undefined;
  typed = undefined;
  if (isCharacter(event) && !event.repeat) {
    typed = before
      ? { ...before, text: before.text + key, last: now }
      : { text: key, field, before: textOf(field), first: now, last: now };
    return before && "growing";
  }
  const isScan = before && before.text.length >= SHORTEST && now - before.first <= AVERAGE_MS * before.text.length;
  return key === "Enter" && isScan ? before : undefined;
}

const textOf = (field: EventTarget | null) =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : "";
