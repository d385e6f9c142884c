/** Overriding a block with a reason, which the server keeps. */

import { parseDate, toCalendarDateTime, today, toZoned } from "@internationalized/date";
import { useState } from "react";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { useFormats, useWords } from "../words/index.tsx";

/** Blocks whose override needs a due date, since no loan policy gives one. */
export const BLOCKS_WITH_DUE_DATE = ["itemNotLoanableBlock", "renewalDueDateRequiredBlock"];

export type OverrideBlocks = Record<string, unknown>;

interface Props {
  title: string;
  submit: string;
  blocks: string[];
  onOverride: (blocks: OverrideBlocks) => void;
}

export function OverrideDialog({ title, submit, blocks, onOverride }: Props) {
  const words = useWords();
  const { timeZone } = useFormats();
  const [comment, setComment] = useState("");
  const [day, setDay] = useState(today(timeZone).add({ weeks: 1 }).toString());
  return (
    <FormDialog
      title={title}
      submit={submit}
      onSubmit={async () => {
        const due = { dueDate: endOfDay(day, timeZone) };
        const named = blocks.map((block) => [block, BLOCKS_WITH_DUE_DATE.includes(block) ? due : {}]);
        onOverride({ ...Object.fromEntries(named), comment });
      }}
    >
      <OverrideReason value={comment} onChange={setComment} />
      {blocks.some((block) => BLOCKS_WITH_DUE_DATE.includes(block)) && (
        <Field type="date" label={words.checkOut.overrideDue} value={day} onChange={setDay} isRequired />
      )}
    </FormDialog>
  );
}

/** The reason of an override, which the server keeps with the loan. */
export function OverrideReason({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { overrideReason, overrideReasonHelp } = useWords().checkOut;
  return (
    <Field
      label={overrideReason}
      help={overrideReasonHelp}
      value={value}
      onChange={onChange}
      lines={2}
      isRequired
      autoFocus
    />
  );
}

/** The last second of a day in the library's time zone, as an instant. */
export function endOfDay(day: string, timeZone: string): string {
  const last = toCalendarDateTime(parseDate(day)).set({ hour: 23, minute: 59, second: 59 });
  return toZoned(last, timeZone).toAbsoluteString();
}
