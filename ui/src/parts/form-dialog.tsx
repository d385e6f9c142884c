/** A form in a dialog, which stays open until the server has accepted it. */

import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Form, FormContext } from "react-aria-components/Form";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorMessage } from "./states.tsx";

interface Props {
  title: string;
  submit: string;
  danger?: boolean;
  /** Sends the form; the message of an error that it throws is shown. */
  onSubmit: () => Promise<unknown>;
  children: ReactNode;
  isOpen?: boolean;
  onClose?: () => void;
  /** Called when the server has accepted the form, instead of closing the dialog. */
  onDone?: () => void;
}

export function FormDialog({ title, submit, danger = false, onSubmit, onDone, children, ...open }: Props) {
  return (
    <Dialog title={title} {...open}>
      {(close) => (
        <DialogForm submit={submit} danger={danger} onSubmit={onSubmit} close={open.onClose ?? close} done={onDone}>
          {children}
        </DialogForm>
      )}
    </Dialog>
  );
}

type DialogFormProps = Pick<Props, "submit" | "onSubmit" | "children"> & {
  danger: boolean;
  close: () => void;
  done: (() => void) | undefined;
};

function DialogForm({ submit, danger, onSubmit, children, close, done = close }: DialogFormProps) {
  const words = useWords();
  const sending = useMutation({ mutationFn: onSubmit, onSuccess: done });
  return (
    // In React the dialog is a child of the form from which it was opened: without this, the outer form's properties
    // would come through the context, and events of the inner form would send the outer one.
    <FormContext.Provider value={null}>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          // A disabled button would lose the focus, and when the server has refused the form, the keyboard would not
          // reach it any more.
          if (!sending.isPending) sending.mutate();
        }}
      >
        {children}
        {sending.error && <ErrorMessage error={sending.error} />}
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
