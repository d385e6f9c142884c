/** The actions on a loan other than renewal, each with its dialog. */

import { today } from "@internationalized/date";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api/http.ts";
import type { Loan } from "../api/records.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { workplace } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { endOfDay } from "./override.tsx";

interface ActionInput {
  comment: string;
  dueDate: string;
}

export interface LoanAction {
  name: "changeDueDate" | "declareLost" | "claimReturned" | "markMissing" | "addStaffInfo";
  needs: string;
  input: "day" | "comment";
  isPossible: (loan: Loan) => boolean;
  path: string;
  body: (said: ActionInput) => object;
}

const itemStatus = ({ item }: Loan) => item?.status?.name ?? "";
const isLost = (loan: Loan) => ["Declared lost", "Aged to lost"].includes(itemStatus(loan));
const isClaimed = (loan: Loan) => itemStatus(loan) === "Claimed returned";

export const LOAN_ACTIONS: readonly LoanAction[] = [
  {
    name: "changeDueDate",
    needs: "circulation.loans.change-due-date.post",
    input: "day",
    isPossible: (loan) => !isLost(loan) && !isClaimed(loan),
    path: "change-due-date",
    body: ({ dueDate }) => ({ dueDate }),
  },
  {
    name: "claimReturned",
    needs: "circulation.loans.claim-item-returned.post",
    input: "comment",
    isPossible: (loan) => !isClaimed(loan),
    path: "claim-item-returned",
    body: ({ comment }) => ({ comment, itemClaimedReturnedDateTime: new Date().toISOString() }),
  },
  {
    name: "markMissing",
    needs: "circulation.loans.declare-claimed-returned-item-as-missing.post",
    input: "comment",
    isPossible: isClaimed,
    path: "declare-claimed-returned-item-as-missing",
    body: ({ comment }) => ({ comment }),
  },
  {
    name: "declareLost",
    needs: "circulation.loans.declare-item-lost.post",
    input: "comment",
    isPossible: (loan) => itemStatus(loan) !== "Declared lost",
    path: "declare-item-lost",
    body: ({ comment }) => ({
      comment,
      declaredLostDateTime: new Date().toISOString(),
      servicePointId: workplace.get().servicePoint,
    }),
  },
  {
    name: "addStaffInfo",
    needs: "circulation.loans.add-info.post",
    input: "comment",
    isPossible: () => true,
    path: "add-info",
    body: ({ comment }) => ({ action: "staffInfoAdded", actionComment: comment }),
  },
];

export function LoanActionDialog({ action, loan, onClose }: { action: LoanAction; loan: Loan; onClose: () => void }) {
  const words = useWords();
  const { timeZone } = useFormats();
  const client = useQueryClient();
  const [comment, setComment] = useState("");
  const [day, setDay] = useState(today(timeZone).add({ weeks: 2 }).toString());
  const says = words.loanActions[action.name];
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={says.title(loan.item?.title ?? "")}
      submit={says.do}
      onSubmit={async () => {
        const body = action.body({ comment, dueDate: endOfDay(day, timeZone) });
        await ask(`/circulation/loans/${loan.id}/${action.path}`, { method: "POST", body });
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      <p>{says.help}</p>
      {action.input === "day" ? (
        <Field type="date" label={words.checkOut.overrideDue} value={day} onChange={setDay} isRequired autoFocus />
      ) : (
        <Field label={words.comment} value={comment} onChange={setComment} lines={2} isRequired autoFocus />
      )}
    </FormDialog>
  );
}
