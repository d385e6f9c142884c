/** Begins an override for the whole visit: which blocks, and the reason. */

import { today } from "@internationalized/date";
import { useState } from "react";
import { createRefusal } from "../../api/http.ts";
import type { User } from "../../api/records.ts";
import { BLOCKS_WITH_DUE_DATE, endOfDay, OverrideReason } from "../../loans/override.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { patronName } from "../../parts/portrait.tsx";
import { CheckboxField } from "../../parts/tick.tsx";
import { useMay, useMember } from "../../shell/session.ts";
import { useFormats } from "../../words/index.tsx";
import { setVisitOverride, visit } from "../session.ts";
import { BLOCK_PERMISSIONS } from "./standing.ts";
import { useOverrideWords } from "./words/index.tsx";
import "./override.css";

/** Shown only to staff who may override something, while nothing is overridden. */
export default function OverrideButton({ patron }: { patron: User }) {
  const own = useOverrideWords();
  const may = useMay();
  const { user } = useMember();
  const { override } = visit.use();
  const blocks = Object.keys(BLOCK_PERMISSIONS).filter((block) => may(BLOCK_PERMISSIONS[block] ?? ""));
  if (blocks.length === 0 || override?.userId === user.id) return null;
  return (
    <DialogOpener>
      <Button kind="quiet">{own.open}</Button>
      <VisitOverrideDialog patron={patron} possible={blocks} />
    </DialogOpener>
  );
}

function VisitOverrideDialog({ patron, possible }: { patron: User; possible: string[] }) {
  const own = useOverrideWords();
  const { timeZone } = useFormats();
  const { user } = useMember();
  const [blocks, setBlocks] = useState<readonly string[]>(["patronBlock"].filter((one) => possible.includes(one)));
  const [comment, setComment] = useState("");
  const [day, setDay] = useState(today(timeZone).add({ weeks: 1 }).toString());
  const needsDate = blocks.some((block) => BLOCKS_WITH_DUE_DATE.includes(block));
  return (
    <FormDialog
      title={own.title(patronName(patron))}
      submit={own.start}
      onSubmit={async () => {
        if (blocks.length === 0) throw createRefusal(422, own.chooseOne);
        setVisitOverride({
          blocks: [...blocks],
          comment,
          userId: user.id,
          ...(needsDate && { dueDate: endOfDay(day, timeZone) }),
        });
      }}
    >
      <p className="help">{own.help}</p>
      <fieldset className="override-blocks">
        <legend>{own.what}</legend>
        {possible.map((block) => (
          <CheckboxField
            key={block}
            value={blocks.includes(block)}
            onChange={(isWanted) =>
              setBlocks((now) => (isWanted ? [...now, block] : now.filter((one) => one !== block)))
            }
          >
            {own.blocks[block]}
          </CheckboxField>
        ))}
      </fieldset>
      <OverrideReason value={comment} onChange={setComment} />
      {needsDate && <Field type="date" label={own.due} value={day} onChange={setDay} isRequired />}
    </FormDialog>
  );
}
