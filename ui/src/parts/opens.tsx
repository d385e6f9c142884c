/** A button and the dialog that it opens. The dialog begins anew each time: what was typed and left is forgotten. */

import { type ReactNode, useState } from "react";
import { DialogTrigger } from "react-aria-components/Dialog";

export function Opens({ children: [button, dialog] }: { children: [button: ReactNode, dialog: ReactNode] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      {button}
      {isOpen && dialog}
    </DialogTrigger>
  );
}
