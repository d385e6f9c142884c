/** Where the browser is, for a router that does not leave a form before somebody has said what becomes of it. */

import type { BaseLocationHook } from "wouter";
import { useBrowserLocation } from "wouter/use-browser-location";
import { store } from "../shell/store.ts";

interface Unsaved {
  /** The page of the form, while something in it is not saved. */
  page?: string;
  /** What somebody wanted who is asked now. */
  leave?: () => void;
}

export const unsaved = store<Unsaved>({});

/** The browser's own way back cannot be kept from leaving: the page of the form is still shown until the question is answered. */
export const useGuardedLocation: BaseLocationHook = () => {
  const [path, navigate] = useBrowserLocation();
  const { page } = unsaved.use();
  const go: typeof navigate = (to, options) => {
    const now = unsaved.get();
    if (now.page === undefined) navigate(to, options);
    else unsaved.set({ ...now, leave: () => navigate(to, options) });
  };
  return [page ?? path, go];
};

/** Nothing is to be saved any more. */
export const allSaved = () => unsaved.set({});
