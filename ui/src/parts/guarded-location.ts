/**
 * The router's location, which does not change while a form has unsaved changes until staff have answered what to do
 * with them.
 */

import type { BaseLocationHook } from "wouter";
import { useBrowserLocation } from "wouter/use-browser-location";
import { store } from "../shell/store.ts";

interface UnsavedForm {
  /** The path of the form, while it has unsaved changes. */
  page?: string;
  /** Leaves the page; set while staff are asked whether to leave. */
  leave?: () => void;
}

export const unsavedForm = store<UnsavedForm>({});

/** The browser's Back button cannot be stopped: the page of the form is still shown until the question is answered. */
export const useGuardedLocation: BaseLocationHook = () => {
  const [path, navigate] = useBrowserLocation();
  const { page } = unsavedForm.use();
  const go: typeof navigate = (to, options) => {
    const now = unsavedForm.get();
    if (now.page === undefined || staysOnPage(to, options?.replace)) navigate(to, options);
    else unsavedForm.set({ ...now, leave: () => navigate(to, options) });
  };
  return [page ?? path, go];
};

/** Whether only parameters of the page's own address are replaced, such as the month of a calendar. */
function staysOnPage(to: string | URL, isReplaced = false): boolean {
  const { pathname, search } = new URL(to, location.href);
  return pathname === location.pathname && (isReplaced || search === location.search);
}

/** Tells that no form has unsaved changes any more. */
export const clearUnsavedForm = () => unsavedForm.set({});
