/** A receipt on paper, with one press; or by e-mail, for whoever has an address. */

import type { ReactNode } from "react";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { useMail, usePrint } from "../parts/paper.tsx";
import { Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";

interface Props {
  /** Whose address it may go to; nobody's, where only their name is known. */
  user?: User | undefined;
  subject: string;
  content: ReactNode;
  /** What the button says, if not “Receipt”. */
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
      {sent.error !== null && <Trouble error={sent.error} />}
    </>
  );
}
