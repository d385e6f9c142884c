/** A button and the dialog that it opens. The dialog is made anew each time, so that what was typed before is gone. */

import { type ReactNode, useState } from "react";
import { DialogTrigger } from "react-aria-components/Dialog";

export function DialogOpener({ children: [button, dialog] }: { children: [button: ReactNode, dialog: ReactNode] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      {button}
      {isOpen && dialog}
    </DialogTrigger>
  );
}
