/** A question or an answer above the page; Escape leaves it, and the focus goes back to where it came from. */

import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";

interface Props {
  title: string;
  children: (close: () => void) => ReactNode;
  /** Where no trigger opens and closes it. */
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
