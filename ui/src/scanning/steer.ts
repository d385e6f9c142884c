/**
 * Leads scans to the scan field of the page, wherever the focus is. Outside of text fields the first key moves the
 * focus there, typed or scanned. Under a dialog and in text fields, where the focus cannot move, a scan is recognised
 * by its speed, and is removed from the text field. After a click the focus returns by itself. On a page without a scan
 * field, a scan in a dialog fills the focused field, and its Enter does not send the form, since a person decides about
 * the other fields. A form with a field for a barcode (its name is `barcode`) receives scans there and keeps the focus;
 * such scans may have pauses. Outside of text fields Escape does what it does in the scan field, unless something else
 * has used it.
 */

import { addKeyToBurst, type Burst, isCharacter } from "./burst.ts";
import { playSignal } from "./signals.tsx";

interface ScanTarget {
  input: HTMLInputElement;
  onScan: (text: string) => void;
  onEscape: () => void;
}

/** A CSS selector of elements above the page: dialogs and popovers. */
const OVERLAYS = ".veil, .popover";
const isCovered = () => document.querySelector(OVERLAYS) !== null;

const NON_TEXT_TYPES = ["checkbox", "radio", "button", "submit", "reset", "range", "color", "file", "image"];

/** Whether an element accepts typed text. */
function isTextField(element: EventTarget | null): element is HTMLElement {
  if (element instanceof HTMLInputElement) return !NON_TEXT_TYPES.includes(element.type);
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable);
}

let scanTarget: ScanTarget | undefined;

/** Leads scans to a scan field until the returned function is called. */
export function takeScansTo(field: ScanTarget): () => void {
  scanTarget = field;
  return () => {
    if (scanTarget === field) scanTarget = undefined;
  };
}

let formListener: ((text: string) => void) | undefined;

/** Leads whole scans from every field of a form to this function, until the returned function is called. */
export function takeScansInForm(onScan: (text: string) => void): () => void {
  formListener = onScan;
  return () => {
    if (formListener === onScan) formListener = undefined;
  };
}

/** Listens to keys and clicks until the returned function is called. */
export function watchScans(): () => void {
  // A closing dialog returns the focus to what opened it in the next frame; after that the scan field takes it.
  const closed = new MutationObserver((changes) => {
    const isClosed = changes.some(({ removedNodes }) => [...removedNodes].some(containsOverlay));
    if (isClosed) requestAnimationFrame(() => requestAnimationFrame(returnFocus));
  });
  closed.observe(document.body, { childList: true });
  window.addEventListener("keydown", onKeyDown, true);
  window.addEventListener("keydown", takeEscape);
  window.addEventListener("keyup", onKeyUp, true);
  window.addEventListener("click", returnFocusSoon, true);
  return () => {
    closed.disconnect();
    window.removeEventListener("keydown", onKeyDown, true);
    window.removeEventListener("keydown", takeEscape);
    window.removeEventListener("keyup", onKeyUp, true);
    window.removeEventListener("click", returnFocusSoon, true);
  };
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.target === scanTarget?.input) return;
  const burst = addKeyToBurst(event);
  if (scanTarget === undefined) {
    if (burst) takeScanInForm(event, burst);
  } else if (!isTextField(event.target) && !isCovered()) {
    // The space bar presses the focused button.
    if (!isCharacter(event) || event.key === " ") return;
    scanTarget.input.focus();
    event.stopImmediatePropagation();
  } else if (burst === "growing") {
    if (!isTextField(event.target)) stopEvent(event);
  } else if (burst) {
    stopEvent(event);
    if (mayBePassword(burst)) playSignal("badly");
    else {
      removeScanFromField(burst);
      scanTarget.onScan(burst.text);
    }
  }
}

/** Handles keys on a page without a scan field. */
function takeScanInForm(event: KeyboardEvent, burst: Burst | "growing"): void {
  if (burst === "growing") {
    if (formListener && !isCovered() && !isTextField(event.target)) stopEvent(event);
    return;
  }
  if (isCovered()) event.preventDefault();
  else if (formListener) {
    stopEvent(event);
    const scan = isForBarcodes(burst.field) ? { ...burst, ...burst.whole } : burst;
    removeScanFromField(scan);
    formListener(scan.text);
  }
}

const isForBarcodes = (field: EventTarget | null) => field instanceof HTMLInputElement && field.name === "barcode";

/** Escape ends a session at once, so that the next patron's card does not get into the previous session. */
function takeEscape(event: KeyboardEvent): void {
  if (scanTarget === undefined || event.key !== "Escape" || event.defaultPrevented || isCovered()) return;
  if (event.target !== scanTarget.input && isTextField(event.target)) return;
  scanTarget.input.focus();
  scanTarget.onEscape();
}

function stopEvent(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function onKeyUp({ key }: KeyboardEvent): void {
  if (key === "Enter" || key === " ") returnFocusSoon();
}

function returnFocusSoon(): void {
  setTimeout(returnFocus);
}

function returnFocus(): void {
  // Text that somebody has selected, e.g. to copy it, stays selected.
  const isMarked = document.getSelection()?.isCollapsed === false;
  if (!isCovered() && !isTextField(document.activeElement) && !isMarked)
    scanTarget?.input.focus({ preventScroll: true });
}

const containsOverlay = (node: Node) =>
  node instanceof Element && (node.matches(OVERLAYS) || node.querySelector(OVERLAYS) !== null);

/**
 * Some devices type a password as fast as a scanner; barcodes are mostly digits. Such a text stays in the field for the
 * person to send.
 */
function mayBePassword({ field, text }: Burst): boolean {
  return field instanceof HTMLInputElement && field.type === "password" && !/^\d+$/.test(text);
}

/** Removes the text of a scan from a field. */
function removeScanFromField({ field, before }: Burst): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || !isTextField(field)) return;
  // React notices a changed value only if it is set by the setter of the element's prototype.
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(field, before);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
