/** The dialog of an action. For one row it is a form that is sent at once; for many there is a preview, then a job. */

import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, useCallback, useState } from "react";
import { Form } from "react-aria-components/Form";
import { endOfDay } from "../../loans/override.tsx";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { TextDialog } from "../../parts/text-dialog.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMember, workplace } from "../../shell/session.ts";
import { useFormats } from "../../words/index.tsx";
import type { ListRow } from "../row.ts";
import { useListWords } from "../words/index.tsx";
import type { BulkAction, FormValues } from "./actions.ts";
import { isBusy, job, startJob } from "./job.ts";
import { carryOut } from "./orders.ts";
import { planRows } from "./plan.ts";
import { Preview } from "./preview.tsx";

export interface FieldsProps {
  rows: readonly ListRow[];
  values: FormValues;
  setValues: (change: FormValues) => void;
}

interface Props {
  name: string;
  /** Label of the button of the form for one row. Default: the name of the action. */
  submit?: string | undefined;
  isDanger?: boolean;
  help: string;
  action: Pick<BulkAction, "suits" | "order">;
  rows: readonly ListRow[];
  initial: FormValues;
  fields: ComponentType<FieldsProps> | undefined;
  /** Text of the change of a row, before and after. Default: the name of the action. */
  describeChange?: (row: ListRow, said: FormValues) => string;
  /** Even a single row is previewed and changed as a job, which can be undone. */
  runsAsJob?: boolean;
  onClose: () => void;
}

export const useOwnerKey = () => `${workplace.use().tenant}/${useMember().user.id}`;

export function BulkDialog({
  name,
  submit = name,
  isDanger = false,
  help,
  action,
  rows,
  initial,
  fields: Fields,
  describeChange,
  runsAsJob = false,
  onClose,
}: Props) {
  const own = useListWords().bulk;
  const busy = useListWords().job.busy;
  const formats = useFormats();
  const client = useQueryClient();
  const { user } = useMember();
  const owner = useOwnerKey();
  const [said, setSaid] = useState(initial);
  const [isPreview, setPreview] = useState(false);
  const around = {
    userId: user.id,
    endOfDay: (day: string) => endOfDay(day, formats.timeZone),
    isoDay: formats.isoDay,
    isSingleRow: rows.length === 1,
  };
  const title = own.title(name, rows.length === 1 ? (rows[0]?.title ?? "") : formats.number(rows.length));
  const say = useCallback((change: FormValues) => setSaid((now) => ({ ...now, ...change })), []);
  const filled = Fields && <Fields rows={rows} values={said} setValues={say} />;
  if (rows.length === 1 && !runsAsJob) {
    return (
      <FormDialog
        isOpen
        onClose={onClose}
        title={title}
        submit={submit}
        danger={isDanger}
        onSubmit={async () => {
          const [only] = planRows(action, rows, said, around);
          if (only) await carryOut(only.entry.order);
          announce(own.saved);
          const stale = ["lists", "requests", "patron", "title"];
          await Promise.all(stale.map((key) => client.invalidateQueries({ queryKey: [key] })));
        }}
      >
        <p>{help}</p>
        {filled}
      </FormDialog>
    );
  }
  return (
    <TextDialog isOpen onClose={onClose} title={title}>
      {(close) => {
        if (isBusy(job.get(), owner)) return <p className="banner warn">{busy}</p>;
        if (isPreview) {
          return (
            <Preview
              plan={planRows(action, rows, said, around)}
              count={rows.length}
              describeRow={(row) => describeChange?.(row, said) ?? name}
              onBack={() => setPreview(false)}
              onStart={(entries) => {
                startJob(title, owner, entries);
                close();
              }}
            />
          );
        }
        return (
          <Form
            className="form"
            onSubmit={(event) => {
              event.preventDefault();
              setPreview(true);
            }}
          >
            <p>{help}</p>
            {filled}
            <div className="buttons">
              <Button kind="primary" type="submit" autoFocus={Fields === undefined}>
                {own.preview}
              </Button>
            </div>
          </Form>
        );
      }}
    </TextDialog>
  );
}
