/**
 * To the browser a scanner is a keyboard: it types a barcode and Enter, quicker than any hand. So a scan can be told from what a
 * person types, wherever the focus is.
 */

/** Between two keys of a scan, and on average, in milliseconds; slow scanners with radio come close to it. */
const GAP_MS = 100;
const AVERAGE_MS = 40;
const SHORTEST = 5;
/** A busy machine may hold a scan up for so long. */
const HALT_MS = 3_000;

export interface Burst {
  text: string;
  field: EventTarget | null;
  /** The text of the field before the burst. */
  before: string;
  /** With what came into the field at a scanner's speed before a pause. In a field for barcodes that is the beginning of the scan. */
  whole: { text: string; before: string };
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
  const earlier = typed?.field === field && !event.repeat ? typed : undefined;
  const before = earlier && now - earlier.last <= GAP_MS ? earlier : undefined;
  typed = undefined;
  if (isCharacter(event) && !event.repeat) {
    const goesOn =
      before ??
      (earlier && now - earlier.last <= HALT_MS && isQuick(earlier, earlier.last, earlier.text.length - 1)
        ? earlier
        : undefined);
    const begun = goesOn?.whole ?? { text: "", before: textOf(field) };
    const whole = { ...begun, text: begun.text + key };
    typed = before
      ? { ...before, text: before.text + key, last: now, whole }
      : { text: key, field, before: textOf(field), first: now, last: now, whole };
    return before && "growing";
  }
  const isScan = before && before.text.length >= SHORTEST && isQuick(before, now, before.text.length);
  return key === "Enter" && isScan ? before : undefined;
}

const isQuick = ({ first }: Typed, end: number, gaps: number) => end - first <= AVERAGE_MS * gaps;

const textOf = (field: EventTarget | null) =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : "";
