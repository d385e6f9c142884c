/**
 * A form in a dialog, which stays open until the server has accepted it. Whoever closes it with text that is not sent is
 * asked first, unless they press Cancel.
 */

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Form, FormContext } from "react-aria-components/Form";
import { flushSync } from "react-dom";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { ErrorMessage } from "./states.tsx";
import { TextDialog } from "./text-dialog.tsx";

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
  const [isSent, setSent] = useState(false);
  return (
    <TextDialog title={title} isSent={isSent} {...open}>
      {(close) => (
        <DialogForm {...{ submit, danger, onSubmit, setSent }} close={open.onClose ?? close} done={onDone}>
          {children}
        </DialogForm>
      )}
    </TextDialog>
  );
}

type DialogFormProps = Pick<Props, "submit" | "onSubmit" | "children"> & {
  danger: boolean;
  close: () => void;
  done: (() => void) | undefined;
  setSent: (isSent: boolean) => void;
};

function DialogForm({ submit, danger, onSubmit, children, close, done = close, setSent }: DialogFormProps) {
  const words = useWords();
  const sending = useMutation({ mutationFn: onSubmit, onSuccess: done, onSettled: () => setSent(false) });
  const send = () => {
    // Before the form is sent, as that may lead to another page.
    flushSync(() => setSent(true));
    sending.mutate();
  };
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
          if (!sending.isPending) send();
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
