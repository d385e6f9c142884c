/** A form above the page, which stays open until the server has taken what it says. */

import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Form, FormContext } from "react-aria-components/Form";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Trouble } from "./states.tsx";

interface Props {
  title: string;
  submit: string;
  danger?: boolean;
  /** Sends it; what it throws is shown. */
  onSubmit: () => Promise<unknown>;
  children: ReactNode;
  isOpen?: boolean;
  onClose?: () => void;
  /** What follows when the server has taken it, if not that the form goes. */
  onDone?: () => void;
}

export function FormDialog({ title, submit, danger = false, onSubmit, onDone, children, ...open }: Props) {
  return (
    <Dialog title={title} {...open}>
      {(close) => (
        <Inner submit={submit} danger={danger} onSubmit={onSubmit} close={open.onClose ?? close} done={onDone}>
          {children}
        </Inner>
      )}
    </Dialog>
  );
}

type Inside = Pick<Props, "submit" | "onSubmit" | "children"> & {
  danger: boolean;
  close: () => void;
  done: (() => void) | undefined;
};

function Inner({ submit, danger, onSubmit, children, close, done = close }: Inside) {
  const words = useWords();
  const sending = useMutation({ mutationFn: onSubmit, onSuccess: done });
  return (
    // In React the form from which the dialog was opened stands around this one, and would be sent with it: its properties come by the
    // context, and events go up to it.
    <FormContext.Provider value={null}>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          // A disabled button would lose the focus, and keys would not find the form when the server has refused it.
          if (!sending.isPending) sending.mutate();
        }}
      >
        {children}
        {sending.error && <Trouble error={sending.error} />}
        <div className="buttons">
          <Button onPress={close}>{words.cancel}</Button>
          <Button kind={danger ? "danger" : "primary"} type="submit">
            {submit}
          </Button>
        </div>
      </Form>
    </FormContext.Provider>
  );
}
