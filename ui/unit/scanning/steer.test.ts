import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const CARD = "27001000000445";

let scans: string[];
let escapes: number;
let field: HTMLInputElement;
let stop: (() => void)[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "requestAnimationFrame"] });
  document.body.innerHTML = `
    <main><input id="scan"><input id="name" value="Ann"><button id="button">Renew</button></main>`;
  field = elementById<HTMLInputElement>("scan");
  [scans, escapes] = [[], 0];
  const { takeScansTo, watchScans } = await import("../../src/scanning/steer.ts");
  stop = [watchScans(), takeScansTo({ input: field, onScan: (text) => scans.push(text), onEscape: () => escapes++ })];
});
afterEach(() => {
  for (const one of stop) one();
  document.body.innerHTML = "";
});

const elementById = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

/** Opens something above the page, with a button and a field. */
function openDialog(): void {
  const veil = document.createElement("div");
  veil.className = "veil";
  veil.innerHTML = `<button id="yes">Yes</button><input id="reason"><input id="password" type="password">`;
  document.body.append(veil);
}

/** Presses a key at the focus, as a browser does: it is written into a text field, unless the event is prevented. */
function press(key: string, timeStamp: number): KeyboardEvent {
  const place = document.activeElement ?? document.body;
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  Object.defineProperty(event, "timeStamp", { value: timeStamp });
  place.dispatchEvent(event);
  const now = document.activeElement;
  if (!event.defaultPrevented && key.length === 1 && now instanceof HTMLInputElement) now.value += key;
  return event;
}

let clock = 1_000;
/** The last key of it. */
function type(text: string, pace: number): KeyboardEvent {
  const begun = clock + 1_000;
  clock = begun + (text.length + 1) * pace;
  for (const [place, key] of [...text].entries()) press(key, begun + place * pace);
  return press("Enter", begun + text.length * pace);
}
const scan = (barcode: string) => type(barcode, 5);

describe("keys outside of text fields", () => {
  test("go to the scan field from the first one on, whoever types", () => {
    elementById("button").focus();
    type(CARD, 150);
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe(CARD);
  });

  test("but space presses what has the focus, and a shortcut stays one", () => {
    elementById("button").focus();
    press(" ", 1);
    press("Tab", 2);
    expect(document.activeElement).toBe(elementById("button"));
  });

  test("Escape does what it does in the scan field", () => {
    elementById("button").focus();
    press("Escape", 1);
    expect(escapes).toBe(1);
    expect(document.activeElement).toBe(field);
  });

  test("Escape of which something else has made use does not", () => {
    elementById("button").addEventListener("keydown", (event) => event.preventDefault());
    elementById("button").focus();
    press("Escape", 1);
    expect(escapes).toBe(0);
  });
});

describe("in another text field", () => {
  test("a scan is taken out again and goes where it belongs, and its Enter sends nothing", () => {
    elementById("name").focus();
    const enter = scan(CARD);
    expect(scans).toEqual([CARD]);
    expect(elementById<HTMLInputElement>("name").value).toBe("Ann");
    expect(enter.defaultPrevented).toBe(true);
  });

  test("what a hand types stays, and so does its Enter", () => {
    elementById("name").focus();
    const enter = type(" Lee and others", 150);
    expect(scans).toEqual([]);
    expect(elementById<HTMLInputElement>("name").value).toBe("Ann Lee and others");
    expect(enter.defaultPrevented).toBe(false);
  });

  test("Escape is the field's", () => {
    elementById("name").focus();
    press("Escape", 1);
    expect(escapes).toBe(0);
  });
});

describe("under a dialog", () => {
  beforeEach(openDialog);

  test("scans go through it, one after the other, and press none of its buttons", () => {
    elementById("yes").focus();
    const enters = [scan(CARD), scan("37001000000096")];
    expect(scans).toEqual([CARD, "37001000000096"]);
    expect(enters.map((enter) => enter.defaultPrevented)).toEqual([true, true]);
    expect(document.activeElement).toBe(elementById("yes"));
  });

  test("a scan in one of its fields goes to the page, and the field is as it was", () => {
    const reason = elementById<HTMLInputElement>("reason");
    reason.value = "because ";
    reason.focus();
    const changes = vi.fn();
    reason.addEventListener("input", changes);
    scan(CARD);
    expect([scans, reason.value]).toEqual([[CARD], "because "]);
    expect(changes).toHaveBeenCalledOnce();
  });

  test("a password that a device types stays where it is, a barcode does not", () => {
    const password = elementById<HTMLInputElement>("password");
    password.focus();
    scan("correct-horse-1");
    expect([scans, password.value]).toEqual([[], "correct-horse-1"]);
    password.value = "";
    scan(CARD);
    expect([scans, password.value]).toEqual([[CARD], ""]);
  });

  test("Escape is the dialog's", () => {
    elementById("yes").focus();
    press("Escape", 1);
    expect(escapes).toBe(0);
  });
});

test("on a page without a scan field, a scan in a dialog stays in its field and sends nothing", () => {
  stop[1]?.();
  openDialog();
  elementById("reason").focus();
  const enter = scan(CARD);
  expect(enter.defaultPrevented).toBe(true);
  expect(elementById<HTMLInputElement>("reason").value).toBe(CARD);
});

test("nor does it in the log-in form above the page: a card is no password, and wrong ones are counted", () => {
  stop[1]?.();
  openDialog();
  elementById("password").focus();
  expect(scan(CARD).defaultPrevented).toBe(true);
  // A hand's Enter signs in.
  expect(type("secret", 150).defaultPrevented).toBe(false);
});

describe("in a form that has a field for a barcode", () => {
  let barcodes: string[];
  beforeEach(async () => {
    stop[1]?.();
    barcodes = [];
    const { takeScansInForm } = await import("../../src/scanning/steer.ts");
    stop.push(takeScansInForm((text) => barcodes.push(text)));
  });

  test("a scan goes there from another field, which is as it was, and sends nothing", () => {
    elementById("name").focus();
    const enter = scan(CARD);
    expect([barcodes, elementById<HTMLInputElement>("name").value]).toEqual([[CARD], "Ann"]);
    expect(enter.defaultPrevented).toBe(true);
    expect(document.activeElement).toBe(elementById("name"));
  });

  test("a scan that is held up keeps its beginning in a field for barcodes, and takes the place of what was there", () => {
    const name = elementById<HTMLInputElement>("name");
    for (const [called, expected, left] of [
      ["barcode", CARD, "Ann"],
      ["other", CARD.slice(2), `Ann${CARD.slice(0, 2)}`],
    ] as const) {
      barcodes.length = 0;
      [name.name, name.value] = [called, "Ann"];
      name.focus();
      clock += 10_000;
      press(CARD.charAt(0), clock);
      press(CARD.charAt(1), clock + 5);
      const begun = clock + 500;
      for (const [place, key] of [...CARD.slice(2)].entries()) press(key, begun + place * 5);
      clock = begun + 100;
      expect(press("Enter", clock).defaultPrevented).toBe(true);
      expect([barcodes, name.value]).toEqual([[expected], left]);
    }
  });

  test("a scan goes there from a button, and presses nothing", () => {
    elementById("button").focus();
    const enter = scan(CARD);
    expect([barcodes, enter.defaultPrevented]).toEqual([[CARD], true]);
  });

  test("what a hand types stays, and so does its Enter", () => {
    elementById("name").focus();
    const enter = type(" Lee and others", 150);
    expect([barcodes, enter.defaultPrevented]).toEqual([[], false]);
    expect(elementById<HTMLInputElement>("name").value).toBe("Ann Lee and others");
  });

  test("a scan in a dialog stays in its field", () => {
    openDialog();
    elementById("reason").focus();
    scan(CARD);
    expect([barcodes, elementById<HTMLInputElement>("reason").value]).toEqual([[], CARD]);
  });
});

describe("the focus", () => {
  test("comes back after a press", () => {
    elementById("button").focus();
    elementById("button").click();
    vi.runAllTimers();
    expect(document.activeElement).toBe(field);
  });

  test("stays in a text field, and under a dialog", () => {
    elementById("name").focus();
    elementById("name").click();
    vi.runAllTimers();
    expect(document.activeElement).toBe(elementById("name"));
    openDialog();
    elementById("yes").focus();
    elementById("yes").click();
    vi.runAllTimers();
    expect(document.activeElement).toBe(elementById("yes"));
  });
});
