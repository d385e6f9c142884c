/**
 * Protects unsaved changes of a form: whoever leaves the page by a link, a shortcut, the Back button, or by closing the
 * window, is asked first.
 */

import { useEffect, useId } from "react";
import { DialogContext } from "react-aria-components/Dialog";
import { useBrowserLocation } from "wouter/use-browser-location";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { clearUnsavedForm, protectForm, protectPage, unsavedForm } from "./guarded-location.ts";

interface Props {
  isUnsaved: boolean;
  /** The form is about the service point of this browser: whoever chooses another one is asked, too. */
  isOfServicePoint?: boolean;
}

/** Stands in a form; asks before the page is left while `isUnsaved`. */
export function UnsavedChangesPrompt({ isUnsaved, isOfServicePoint = false }: Props) {
  const form = useId();
  const [path] = useBrowserLocation();
  const { page, leave, asking } = unsavedForm.use();
  useEffect(() => {
    if (!isUnsaved) return;
    const release = protectForm(form, isOfServicePoint);
    const warn = (event: BeforeUnloadEvent) => {
      if (unsavedForm.get().page !== undefined) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => {
      window.removeEventListener("beforeunload", warn);
      release();
    };
  }, [isUnsaved, form, isOfServicePoint]);
  // The Back button has already changed the address when this is asked; only the shown page has stayed.
  const hasLeft = page !== undefined && page !== path;
  const stay = () => {
    if (page === undefined) return;
    if (hasLeft) history.pushState(null, "", page);
    protectPage(page);
  };
  const go = () => {
    clearUnsavedForm();
    leave?.();
    // A link to another view of the same page may leave the form where it is.
    if (leave && page !== undefined && page === location.pathname) protectPage(page);
  };
  const isAsked = asking === form && (leave !== undefined || hasLeft);
  return <LeaveQuestion isOpen={isAsked} onStay={stay} onLeave={go} />;
}

interface QuestionProps {
  isOpen: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Asks whether to leave what is not saved. */
export function LeaveQuestion({ isOpen, onStay, onLeave }: QuestionProps) {
  const words = useWords().leaving;
  return (
    // The names of a dialog around it are not those of the question.
    <DialogContext.Provider value={null}>
      <Dialog title={words.title} isOpen={isOpen} onClose={onStay}>
        {() => (
          <>
            <p>{words.help}</p>
            <div className="buttons">
              <Button autoFocus onPress={onStay}>
                {words.stay}
              </Button>
              <Button kind="danger" onPress={onLeave}>
                {words.leave}
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </DialogContext.Provider>
  );
}
