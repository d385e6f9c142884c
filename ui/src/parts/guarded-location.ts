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
  /** The form that asks, where several of a page have unsaved changes: the one that was changed last. */
  asking?: string;
  /** The form is about the service point of this browser, and goes when another one is chosen. */
  isOfServicePoint?: boolean;
}

export const unsavedForm = store<UnsavedForm>({});

/** The forms with unsaved changes, the one that was changed first at first. */
const unsavedForms = new Map<string, { isOfServicePoint: boolean }>();

/** Protects the unsaved changes of a form until the returned function is called. */
export function protectForm(form: string, isOfServicePoint: boolean): () => void {
  unsavedForms.set(form, { isOfServicePoint });
  protectPage(location.pathname);
  return () => {
    unsavedForms.delete(form);
    const { page } = unsavedForm.get();
    if (page !== undefined) protectPage(page);
  };
}

/** Protects a page as long as one of its forms has unsaved changes. */
export function protectPage(page: string): void {
  const asking = [...unsavedForms.keys()].at(-1);
  const isOfServicePoint = [...unsavedForms.values()].some((form) => form.isOfServicePoint);
  unsavedForm.set(asking === undefined ? {} : { page, asking, isOfServicePoint });
}

/** Does what ends the page: at once, or when staff have said that they leave what is not saved. */
export function leavePage(leave: () => void): void {
  const now = unsavedForm.get();
  if (now.page === undefined) leave();
  else unsavedForm.set({ ...now, leave });
}

/** The browser's Back button cannot be stopped: the page of the form is still shown until the question is answered. */
export const useGuardedLocation: BaseLocationHook = () => {
  const [path, navigate] = useBrowserLocation();
  const { page } = unsavedForm.use();
  const go: typeof navigate = (to, options) => {
    if (staysOnPage(to, options?.replace)) navigate(to, options);
    else leavePage(() => navigate(to, options));
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
