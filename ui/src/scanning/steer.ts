/**
 * Scans reach the scan field of the page, wherever the focus is. Outside of text fields the first key takes the focus there, for a
 * hand as for a scanner. Where it cannot go, because something lies above the page, and in text fields, a scan is known by its
 * speed; the field is then as it was. After a press the focus comes back by itself. On a page without a scan field, a scan in a
 * dialog fills the field that has the focus, and its Enter sends nothing: what else is in the form is for a person to decide. A form
 * that has a field for a barcode gets scans there, and keeps the focus where it is. A scan into such a field, whose name is `barcode`, may
 * have pauses: nothing of it is left over.
 * Escape outside of text fields does what it does in the scan field, unless something else has made use of it.
 */

import { type Burst, burstWith, isCharacter } from "./burst.ts";
import { sound } from "./signals.tsx";

interface ScanTarget {
  input: HTMLInputElement;
  onScan: (text: string) => void;
  onEscape: () => void;
}

/** Elements that lie above the page. */
const ABOVE = ".veil, .popover";
const isCovered = () => document.querySelector(ABOVE) !== null;

const NOT_TYPED = ["checkbox", "radio", "button", "submit", "reset", "range", "color", "file", "image"];

/** Whether keys write there. */
function isTextField(element: EventTarget | null): element is HTMLElement {
  if (element instanceof HTMLInputElement) return !NOT_TYPED.includes(element.type);
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable);
}

let target: ScanTarget | undefined;

/** Scans go there until the answer is called. */
export function takeScansTo(field: ScanTarget): () => void {
  target = field;
  return () => {
    if (target === field) target = undefined;
  };
}

let form: ((text: string) => void) | undefined;

/** A page that is a form: whole scans go there from every field of it, until the answer is called. */
export function takeScansInForm(onScan: (text: string) => void): () => void {
  form = onScan;
  return () => {
    if (form === onScan) form = undefined;
  };
}

/** Listens to keys and presses until the answer is called. */
export function watchScans(): () => void {
  // A dialog gives the focus to what has opened it, in the next frame; then it is the scan field's.
  const closed = new MutationObserver((changes) => {
    const isClosed = changes.some(({ removedNodes }) => [...removedNodes].some(wasAbove));
    if (isClosed) requestAnimationFrame(() => requestAnimationFrame(comeBack));
  });
  closed.observe(document.body, { childList: true });
  window.addEventListener("keydown", keyDown, true);
  window.addEventListener("keydown", takeEscape);
  window.addEventListener("keyup", keyUp, true);
  window.addEventListener("click", comeBackSoon, true);
  return () => {
    closed.disconnect();
    window.removeEventListener("keydown", keyDown, true);
    window.removeEventListener("keydown", takeEscape);
    window.removeEventListener("keyup", keyUp, true);
    window.removeEventListener("click", comeBackSoon, true);
  };
}

function keyDown(event: KeyboardEvent): void {
  if (event.target === target?.input) return;
  const burst = burstWith(event);
  if (target === undefined) {
    if (burst) takeInForm(event, burst);
  } else if (!isTextField(event.target) && !isCovered()) {
    // Space presses what has the focus.
    if (!isCharacter(event) || event.key === " ") return;
    target.input.focus();
    event.stopImmediatePropagation();
  } else if (burst === "growing") {
    if (!isTextField(event.target)) stop(event);
  } else if (burst) {
    stop(event);
    if (mayBePassword(burst)) sound("badly");
    else {
      restore(burst);
      target.onScan(burst.text);
    }
  }
}

/** Where no page takes scans as its work. */
function takeInForm(event: KeyboardEvent, burst: Burst | "growing"): void {
  if (burst === "growing") {
    if (form && !isCovered() && !isTextField(event.target)) stop(event);
    return;
  }
  if (isCovered()) event.preventDefault();
  else if (form) {
    stop(event);
    const scan = isForBarcodes(burst.field) ? { ...burst, ...burst.whole } : burst;
    restore(scan);
    form(scan.text);
  }
}

const isForBarcodes = (field: EventTarget | null) => field instanceof HTMLInputElement && field.name === "barcode";

/** `Escape` ends a session at once, so that the next card does not get into the session before. */
function takeEscape(event: KeyboardEvent): void {
  if (target === undefined || event.key !== "Escape" || event.defaultPrevented || isCovered()) return;
  if (event.target !== target.input && isTextField(event.target)) return;
  target.input.focus();
  target.onEscape();
}

function stop(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function keyUp({ key }: KeyboardEvent): void {
  if (key === "Enter" || key === " ") comeBackSoon();
}

function comeBackSoon(): void {
  setTimeout(comeBack);
}

function comeBack(): void {
  // Words that somebody has marked, to copy them, stay marked.
  const isMarked = document.getSelection()?.isCollapsed === false;
  if (!isCovered() && !isTextField(document.activeElement) && !isMarked) target?.input.focus({ preventScroll: true });
}

const wasAbove = (node: Node) => node instanceof Element && (node.matches(ABOVE) || node.querySelector(ABOVE) !== null);

/** Some devices type a password as quickly as a scanner does; barcodes are mostly digits. It stays, for a hand to send it or not. */
function mayBePassword({ field, text }: Burst): boolean {
  return field instanceof HTMLInputElement && field.type === "password" && !/^\d+$/.test(text);
}

/** Takes the scan out of a field again. */
function restore({ field, before }: Burst): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || !isTextField(field)) return;
  // React hears of a value only if it is set past its own setter.
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(field, before);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
