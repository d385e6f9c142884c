/** One action on one row, sent at once; or on many: what is to be said about it, what would happen, and the start. */

import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, useCallback, useState } from "react";
import { Form } from "react-aria-components/Form";
import { endOfDay } from "../../loans/override.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { announce } from "../../scanning/signals.tsx";
import { place, useMember } from "../../shell/session.ts";
import { useFormats } from "../../words/index.tsx";
import type { ListRow } from "../row.ts";
import { useListWords } from "../words/index.tsx";
import type { BulkAction, Said } from "./actions.ts";
import { begin, job, left } from "./job.ts";
import { carriedOut } from "./orders.ts";
import { planned } from "./plan.ts";
import { Preview } from "./preview.tsx";

export interface FieldsProps {
  rows: readonly ListRow[];
  said: Said;
  say: (change: Said) => void;
}

interface Props {
  name: string;
  /** What the button of the form for one row says, if not the name. */
  submit?: string | undefined;
  isDanger?: boolean;
  help: string;
  action: Pick<BulkAction, "suits" | "order">;
  rows: readonly ListRow[];
  initial: Said;
  fields: ComponentType<FieldsProps> | undefined;
  /** How a row reads before and after; what is not told here is told by the action's name. */
  inWords?: (row: ListRow, said: Said) => string;
  /** Also one row is previewed, and can be undone. */
  isJob?: boolean;
  onClose: () => void;
}

export const useOwner = () => `${place.use().tenant}/${useMember().user.id}`;

export function BulkDialog({
  name,
  submit = name,
  isDanger = false,
  help,
  action,
  rows,
  initial,
  fields: Fields,
  inWords,
  isJob = false,
  onClose,
}: Props) {
  const own = useListWords().bulk;
  const busy = useListWords().job.busy;
  const formats = useFormats();
  const client = useQueryClient();
  const { user } = useMember();
  const owner = useOwner();
  const [said, setSaid] = useState(initial);
  const [isPreview, setPreview] = useState(false);
  const around = { userId: user.id, endOf: (day: string) => endOfDay(day, formats.timeZone) };
  const title = own.title(name, rows.length === 1 ? (rows[0]?.title ?? "") : formats.number(rows.length));
  const say = useCallback((change: Said) => setSaid((now) => ({ ...now, ...change })), []);
  const filled = Fields && <Fields rows={rows} said={said} say={say} />;
  if (rows.length === 1 && !isJob) {
    return (
      <FormDialog
        isOpen
        onClose={onClose}
        title={title}
        submit={submit}
        danger={isDanger}
        onSubmit={async () => {
          const [only] = planned(action, rows, said, around);
          if (only) await carriedOut(only.entry.order);
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
  const current = job.get();
  const isBusy = current !== null && left(current) > 0;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      {(close) => {
        if (isBusy) return <p className="banner warn">{busy}</p>;
        if (isPreview) {
          return (
            <Preview
              plan={planned(action, rows, said, around)}
              count={rows.length}
              inWords={(row) => inWords?.(row, said) ?? name}
              onBack={() => setPreview(false)}
              onStart={(entries) => {
                begin(title, owner, entries);
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
    </Dialog>
  );
}
