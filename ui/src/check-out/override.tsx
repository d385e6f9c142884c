/** Lending all the same, with a reason that is kept. */

import { parseDate, toCalendarDateTime, today, toZoned } from "@internationalized/date";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { type Lending, lending } from "./session.ts";

/** The one block that takes the due date with it: no policy names one. */
const NEEDS_DATE = "itemNotLoanableBlock";

export function Override({ scan, blocks }: { scan: Lending; blocks: string[] }) {
  const words = useWords();
  return (
    <Dialog title={words.checkOut.overrideTitle(scan.barcode)}>
      {(close) => <OverrideForm scan={scan} blocks={blocks} close={close} />}
    </Dialog>
  );
}

function OverrideForm({ scan, blocks, close }: { scan: Lending; blocks: string[]; close: () => void }) {
  const words = useWords();
  const { timeZone } = useFormats();
  const [comment, setComment] = useState("");
  const [day, setDay] = useState(today(timeZone).add({ weeks: 1 }).toString());
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const due = { dueDate: endOfDay(day, timeZone) };
        const overrideBlocks = Object.fromEntries(blocks.map((block) => [block, block === NEEDS_DATE ? due : {}]));
        lending.again(scan.key, { ...scan.order, overrideBlocks: { ...overrideBlocks, comment } });
        close();
      }}
    >
      <Field
        label={words.checkOut.overrideReason}
        help={words.checkOut.overrideReasonHelp}
        value={comment}
        onChange={setComment}
        lines={2}
        isRequired
        autoFocus
      />
      {blocks.includes(NEEDS_DATE) && (
        <Field type="date" label={words.checkOut.overrideDue} value={day} onChange={setDay} isRequired />
      )}
      <div className="buttons">
        <Button onPress={close}>{words.cancel}</Button>
        <Button kind="primary" type="submit">
          {words.checkOut.override}
        </Button>
      </div>
    </Form>
  );
}

/** The last second of a day in the library, as an instant. */
export function endOfDay(day: string, timeZone: string): string {
  const last = toCalendarDateTime(parseDate(day)).set({ hour: 23, minute: 59, second: 59 });
  return toZoned(last, timeZone).toAbsoluteString();
}
