/** A dialog in which text is typed: whoever closes it, or leaves its page, before the text is sent is asked first. */

import { useState } from "react";
import { Dialog, type DialogProps } from "./dialog.tsx";
import { useTypedText } from "./typed-text.ts";
import { LeaveQuestion, UnsavedChangesPrompt } from "./unsaved.tsx";

interface Props extends DialogProps {
  /** The text has been sent: the dialog closes, and may lead to another page, without a question. */
  isSent?: boolean;
}

export function TextDialog({ isSent = false, children, ...props }: Props) {
  const { watch, isTyped } = useTypedText();
  /** Closes the dialog; set while the user is asked whether to close it. */
  const [leave, setLeave] = useState<() => void>();
  const isUnsaved = isTyped && !isSent;
  return (
    <>
      <Dialog
        {...props}
        inside={watch}
        mayClose={(close) => {
          if (isUnsaved) setLeave(() => close);
          return !isUnsaved;
        }}
      >
        {children}
      </Dialog>
      <UnsavedChangesPrompt isUnsaved={isUnsaved} />
      <LeaveQuestion
        isOpen={leave !== undefined}
        onStay={() => setLeave(undefined)}
        onLeave={() => {
          setLeave(undefined);
          leave?.();
        }}
      />
    </>
  );
}
