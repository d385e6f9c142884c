/**
 * Protects unsaved changes of a form: whoever leaves the page by a link, a shortcut, the Back button, or by closing the
 * window, is asked first.
 */

import { useEffect } from "react";
import { useBrowserLocation } from "wouter/use-browser-location";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { clearUnsavedForm, unsavedForm } from "./guarded-location.ts";

/** Stands in a form; asks before the page is left while `isUnsaved`. */
export function UnsavedChangesPrompt({ isUnsaved }: { isUnsaved: boolean }) {
  const words = useWords().leaving;
  const [path] = useBrowserLocation();
  const { page, leave } = unsavedForm.use();
  useEffect(() => {
    if (!isUnsaved) return;
    unsavedForm.set({ page: location.pathname });
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => {
      window.removeEventListener("beforeunload", warn);
      clearUnsavedForm();
    };
  }, [isUnsaved]);
  // The Back button has already changed the address when this is asked; only the shown page has stayed.
  const hasLeft = page !== undefined && page !== path;
  const stay = () => {
    if (hasLeft) history.pushState(null, "", page);
    unsavedForm.set({ ...(page !== undefined && { page }) });
  };
  const go = () => {
    clearUnsavedForm();
    leave?.();
    // A link to another view of the same page may leave the form where it is.
    if (leave && page !== undefined && page === location.pathname) unsavedForm.set({ page });
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
