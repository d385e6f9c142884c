/** Buttons that print a receipt, or send it by e-mail if the patron has an address. */

import type { ReactNode } from "react";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { useMail, usePrint } from "../parts/paper.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";

interface Props {
  /** The patron with the e-mail address; missing if only a name is known. */
  user?: User | undefined;
  subject: string;
  content: ReactNode;
  /** The label of the button, if it is not “Receipt”. */
  label?: string;
}

export function ReceiptButtons({ user, subject, content, label }: Props) {
  const words = useWords().checkOut;
  const may = useMay();
  const [paper, print] = usePrint();
  const [written, mail, sent] = useMail();
  const to = user?.personal?.email;
  return (
    <>
      <Button onPress={() => print(content)}>{label ?? words.receipt}</Button>
      {to && may("email.message.post") && (
        <Button onPress={() => mail({ to, subject, content })}>{words.receiptByMail}</Button>
      )}
      {paper}
      {written}
      {sent.to && <p role="status">{words.receiptSent(sent.to)}</p>}
      {sent.error !== null && <ErrorMessage error={sent.error} />}
    </>
  );
}
