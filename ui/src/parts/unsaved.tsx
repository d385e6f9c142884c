/**
 * What is written in a form and not saved yet is not lost by a slip: whoever leaves the page is asked first, whether by a link, a key,
 * the browser's way back, or by closing the window. The form says that there is something; the router asks here before it goes.
 */

import { useEffect } from "react";
import type { BaseLocationHook } from "wouter";
import { useBrowserLocation } from "wouter/use-browser-location";
import { store } from "../shell/store.ts";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface Unsaved {
  /** The page of the form, while something in it is not saved. */
  page?: string;
  /** What somebody wanted who is asked now. */
  leave?: () => void;
}

const unsaved = store<Unsaved>({});

/** Where the browser is, or still the page of the form while the question is not answered. */
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

/** Stands in a form; asks whoever leaves while `isUnsaved`. */
export function AsksBeforeLeaving({ isUnsaved }: { isUnsaved: boolean }) {
  const words = useWords().leaving;
  const [path] = useBrowserLocation();
  const { page, leave } = unsaved.use();
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved.set({ page: location.pathname });
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => {
      window.removeEventListener("beforeunload", warn);
      allSaved();
    };
  }, [isUnsaved]);
  // The browser's way back does not ask: it has left already, and only what is shown has stayed.
  const hasLeft = page !== undefined && page !== path;
  const stay = () => {
    if (hasLeft) history.pushState(null, "", page);
    unsaved.set({ ...(page !== undefined && { page }) });
  };
  const go = () => {
    allSaved();
    leave?.();
  };
  return (
    <Dialog title={words.title} isOpen={leave !== undefined || hasLeft} onClose={stay}>
      {() => (
        <>
          <p>{words.help}</p>
          <div className="buttons">
            <Button autoFocus onPress={stay}>
              {words.stay}
            </Button>
            <Button kind="danger" onPress={go}>
              {words.leave}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
