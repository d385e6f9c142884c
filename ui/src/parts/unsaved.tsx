/**
 * What is written in a form and not saved yet is not lost by a slip: whoever leaves the page is asked first, whether by a link, a key,
 * the browser's way back, or by closing the window.
 */

import { useEffect } from "react";
import { useBrowserLocation } from "wouter/use-browser-location";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { allSaved, unsaved } from "./guarded-location.ts";

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
