/** The receipt of a payment, refund, waiver or transfer, on paper or by e-mail. */

import type { Account, User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { patronName } from "../parts/portrait.tsx";
import { ReceiptHead } from "../parts/receipt-head.tsx";
import { ReceiptButtons } from "../receipts/buttons.tsx";
import { useLibraryName } from "../shell/shell.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import type { FeeDialogAction } from "./fee-dialog.tsx";

interface Props {
  action: FeeDialogAction;
  user: User;
  /** The accounts before the action, each with the amount that the action could be about. */
  amounts: { account: Account; amount: number }[];
  amount: number;
  method: string | undefined;
  onClose: () => void;
}

export function FeeReceiptDialog({ action, user, amounts, amount, method, onClose }: Props) {
  const words = useWords();
  const formats = useFormats();
  const library = useLibraryName();
  const said = words.fees.done[action.name](formats.money(amount));
  const receipt = (
    <>
      <ReceiptHead />
      <h3>{said}</h3>
      <p>
        {patronName(user)}
        <br />
        {method}
      </p>
      <ul>
        {amounts.map(({ account: { id, feeFineType, title }, amount }) => (
          <li key={id}>
            {[feeFineType, title].filter(Boolean).join(": ")}
            <br />
            {formats.money(amount)}
          </li>
        ))}
      </ul>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={said}>
      {() => (
        <>
          <div className="buttons">
            <ReceiptButtons user={user} subject={`${said}: ${library}`} content={receipt} />
            <Button kind="primary" autoFocus onPress={onClose}>
              {words.close}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
