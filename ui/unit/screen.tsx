/** Shows parts of the desk to a signed-in user, as a page of the desk, and types into them. */

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished } from "vitest";
import { Router } from "wouter";
import { unsavedForm, useGuardedLocation } from "../src/parts/guarded-location.ts";
import { session, workplace } from "../src/shell/session.ts";
import { LanguageProvider } from "../src/words/index.tsx";
import { jsonResponse, type Network } from "./browser.ts";

export const PLACE = { id: "harbour", name: "Harbour desk", code: "h", discoveryDisplayName: "Harbour" };

/** Every permission, and no bit less. */
class AllPermissions extends Set<string> {
  override has = () => true;
}

/** Answers by path; the calls of a page to other paths find nothing. */
export function answerWith(network: Network, answers: Record<string, unknown>): void {
  for (const [route, answer] of Object.entries(answers)) network.answerWith(route, () => jsonResponse(answer));
}

/** Waits until what follows from answers and typing is shown. */
export const settled = () => act(() => new Promise<void>((done) => setTimeout(done, 20)));

/** Renders a part of the desk at an address. */
export async function show(path: string, part: ReactNode): Promise<QueryClient> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  history.replaceState(null, "", `/desk${path}`);
  unsavedForm.set({});
  workplace.set({ tenant: "diku", servicePoint: PLACE.id });
  const user = { id: "me", username: "me", personal: { lastName: "Lee" } };
  const member = { user, permissions: new AllPermissions(), servicePoints: [PLACE], defaultServicePoint: PLACE.id };
  session.set({ is: "in", expired: false, member });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  const root = createRoot(place);
  onTestFinished(async () => {
    await act(() => root.unmount());
    client.clear();
  });
  const page = (
    <QueryClientProvider client={client}>
      <LanguageProvider>
        <Router base="/desk" hook={useGuardedLocation}>
          {part}
        </Router>
      </LanguageProvider>
    </QueryClientProvider>
  );
  await act(() => root.render(page));
  await settled();
  return client;
}

/** The field of a label. */
export function fieldOf(label: string): HTMLInputElement {
  const found = [...document.querySelectorAll("label")].find(({ textContent }) => textContent === label);
  const field = document.getElementById(found?.htmlFor ?? "");
  if (!(field instanceof HTMLElement)) throw new Error(`no field “${label}” in ${document.body.textContent}`);
  return field as HTMLInputElement;
}

/** Replaces the text of a field as typing does. */
export async function type(field: HTMLInputElement, text: string): Promise<void> {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value") ?? {};
  await act(() => {
    field.dispatchEvent(new InputEvent("beforeinput", { bubbles: true }));
    // React notices a value that is set on the prototype's way.
    set?.call(field, text);
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await settled();
}

/** The buttons of a name that are shown. */
export const buttonsOf = (name: string) =>
  [...document.querySelectorAll("button")].filter(
    (button) => (button.getAttribute("aria-label") ?? button.textContent) === name,
  );

export async function press(name: string): Promise<void> {
  const button = buttonsOf(name).at(-1);
  if (button === undefined) throw new Error(`no button “${name}” in ${document.body.textContent}`);
  await act(async () => button.click());
  await settled();
}

/** Escape, where the focus is. */
export async function pressEscape(): Promise<void> {
  const at = document.activeElement ?? document.body;
  await act(() => at.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true })));
  await settled();
}
