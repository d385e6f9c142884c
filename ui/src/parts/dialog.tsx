/** A dialog above the page. Escape closes it, and the focus returns to the element that opened it. */

import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";

interface Props {
  title: string;
  children: (close: () => void) => ReactNode;
  /** Set where the dialog has no `DialogTrigger` that opens and closes it. */
  isOpen?: boolean;
  onClose?: () => void;
}

export function Dialog({ title, children, isOpen, onClose }: Props) {
  const words = useWords();
  return (
    <ModalOverlay
      className="veil"
      isDismissable
      {...(isOpen !== undefined && { isOpen, onOpenChange: (open: boolean) => open || onClose?.() })}
    >
      <Modal className="modal">
        <AriaDialog>
          {({ close }) => (
            <>
              <div className="dialog-head">
                <Heading slot="title">{title}</Heading>
                <Button kind="quiet" aria-label={words.close} onPress={close}>
                  <span className="cross" aria-hidden="true" />
                </Button>
              </div>
              {children(close)}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
