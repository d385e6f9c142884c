/** A dialog above the page. Escape closes it, and the focus returns to the element that opened it. */

import { type ReactNode, type RefCallback, useContext } from "react";
import { Dialog as AriaDialog, Heading, OverlayTriggerStateContext } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";

export interface DialogProps {
  title: string;
  /** `close` closes at once, even where `mayClose` would ask. */
  children: (close: () => void) => ReactNode;
  /** Set where the dialog has no `DialogTrigger` that opens and closes it. */
  isOpen?: boolean;
  onClose?: () => void;
}

interface Props extends DialogProps {
  /** Asked when the user closes the dialog; `close` closes it later. */
  mayClose?: (close: () => void) => boolean;
  /** The ref of an element inside of the dialog. */
  inside?: RefCallback<HTMLElement>;
}

export function Dialog({ title, children, isOpen, onClose, mayClose = () => true, inside }: Props) {
  const words = useWords();
  const trigger = useContext(OverlayTriggerStateContext);
  const isTriggered = isOpen === undefined;
  const close = () => {
    if (isTriggered) trigger?.close();
    else onClose?.();
  };
  return (
    <ModalOverlay
      className="veil"
      isDismissable
      isOpen={isTriggered ? (trigger?.isOpen ?? false) : isOpen}
      onOpenChange={(open) => open || !mayClose(close) || close()}
    >
      <Modal className="modal">
        <AriaDialog>
          {({ close: leave }) => (
            <>
              <div className="dialog-head" {...(inside && { ref: inside })}>
                <Heading slot="title">{title}</Heading>
                <Button kind="quiet" aria-label={words.close} onPress={leave}>
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
