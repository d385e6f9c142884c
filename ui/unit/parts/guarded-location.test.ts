import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { unsavedForm, useGuardedLocation } from "../../src/parts/guarded-location.ts";

const PAGE = "/desk/rules";
let go: (to: string, options?: { replace?: boolean }) => void = () => {};

function Links() {
  [, go] = useGuardedLocation();
  return null;
}

test("an unsaved form is not left, while its page may replace parameters of its address", () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  history.replaceState(null, "", PAGE);
  unsavedForm.set({ page: PAGE });
  act(() => createRoot(document.createElement("div")).render(createElement(Links)));
  act(() => go("/desk/requests"));
  act(() => go("/desk/rules?like=another"));
  expect(location.pathname + location.search).toBe(PAGE);
  act(() => go("/desk/rules?change=dueEarlier", { replace: true }));
  expect(location.search).toBe("?change=dueEarlier");
});
