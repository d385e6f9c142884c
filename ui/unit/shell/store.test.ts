import { expect, test } from "vitest";
import { store } from "../../src/shell/store.ts";

const NAME = "octavo.test";

/** Another tab stores a value; the browser tells this tab of it. */
function storeInOtherTab(value: unknown): void {
  localStorage.setItem(NAME, JSON.stringify(value));
  window.dispatchEvent(Object.assign(new Event("storage"), { key: NAME }));
}

test("a shared value takes in what another tab has added, and does not overwrite it", () => {
  const lists = store<Record<string, string[]>>({}, { name: NAME, in: () => localStorage, isShared: true });
  let told = 0;
  lists.subscribe(() => told++);
  lists.set({ weeding: ["1"] });
  storeInOtherTab({ weeding: ["1"], repair: ["2"] });
  expect(told).toBe(2);
  lists.set((now) => ({ ...now, weeding: [...(now.weeding ?? []), "3"] }));
  expect(JSON.parse(localStorage.getItem(NAME) ?? "")).toEqual({ weeding: ["1", "3"], repair: ["2"] });
});

test("a value of a tab stays as it is when another tab changes its own", () => {
  const place = store<{ servicePoint?: string }>({}, { name: NAME, in: () => localStorage });
  place.set({ servicePoint: "harbour" });
  storeInOtherTab({ servicePoint: "hillside" });
  expect(place.get()).toEqual({ servicePoint: "harbour" });
});
