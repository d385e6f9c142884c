/**
 * For the browser a scanner is a keyboard: it types a barcode and Enter, faster than any person. So a scan can be told
 * from typing by its speed, wherever the focus is.
 */

/**
 * The longest pause between two keys of a scan, and the longest average pause, in milliseconds; slow radio scanners
 * come close to it.
 */
const MAX_KEY_GAP_MS = 100;
const MAX_AVERAGE_GAP_MS = 40;
const MIN_BARCODE_LENGTH = 5;
/** A busy computer may delay the keys of a scan by up to so many milliseconds. */
const MAX_HALT_MS = 3_000;

export interface Burst {
  text: string;
  field: EventTarget | null;
  /** The text of the field before the burst of keys. */
  before: string;
  /**
   * The burst together with fast keys that came before a pause. In a field for barcodes these are the beginning of the
   * scan.
   */
  whole: { text: string; before: string };
}

interface BurstInProgress extends Burst {
  first: number;
  last: number;
}

let currentBurst: BurstInProgress | undefined;

export const isCharacter = ({ key, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent) =>
  key.length === 1 && !ctrlKey && !altKey && !metaKey && !isComposing;

/**
 * Must be called for every key. Returns the whole burst at the Enter that ends a scan; before that, `growing` from its
 * second character on.
 */
export function addKeyToBurst(event: KeyboardEvent): Burst | "growing" | undefined {
  const { key, target: field, timeStamp: now } = event;
  if (key === "Shift") return undefined;
  const earlier = currentBurst?.field === field && !event.repeat ? currentBurst : undefined;
  const before = earlier && now - earlier.last <= MAX_KEY_GAP_MS ? earlier : undefined;
  currentBurst = undefined;
  if (isCharacter(event) && !event.repeat) {
    const goesOn =
      before ??
      (earlier && now - earlier.last <= MAX_HALT_MS && isQuick(earlier, earlier.last, earlier.text.length - 1)
        ? earlier
        : undefined);
    const begun = goesOn?.whole ?? { text: "", before: fieldText(field) };
    const whole = { ...begun, text: begun.text + key };
    currentBurst = before
      ? { ...before, text: before.text + key, last: now, whole }
      : { text: key, field, before: fieldText(field), first: now, last: now, whole };
    return before && "growing";
  }
  const isScan = before && before.text.length >= MIN_BARCODE_LENGTH && isQuick(before, now, before.text.length);
  return key === "Enter" && isScan ? before : undefined;
}

const isQuick = ({ first }: BurstInProgress, end: number, gaps: number) => end - first <= MAX_AVERAGE_GAP_MS * gaps;

const fieldText = (field: EventTarget | null) =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : "";
