/** Begins an override for the visit: which blocks, and why. */

import { today } from "@internationalized/date";
import { useState } from "react";
import { refusing } from "../../api/http.ts";
import type { User } from "../../api/records.ts";
import { endOfDay, NEED_DATE, OverrideReason } from "../../loans/override.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Opens } from "../../parts/opens.tsx";
import { nameOf } from "../../parts/portrait.tsx";
import { Tick } from "../../parts/tick.tsx";
import { useMay, useMember } from "../../shell/session.ts";
import { useFormats } from "../../words/index.tsx";
import { overrideVisit, visit } from "../session.ts";
import { BLOCKS } from "./standing.ts";
import { useOverrideWords } from "./words/index.tsx";
import "./override.css";

/** Only for whoever may override something, and while nothing is overridden. */
export default function OverrideButton({ patron }: { patron: User }) {
  const own = useOverrideWords();
  const may = useMay();
  const { user } = useMember();
  const { override } = visit.use();
  const blocks = Object.keys(BLOCKS).filter((block) => may(BLOCKS[block] ?? ""));
  if (blocks.length === 0 || override?.userId === user.id) return null;
  return (
    <Opens>
      <Button kind="quiet">{own.open}</Button>
      <Beginning patron={patron} possible={blocks} />
    </Opens>
  );
}

function Beginning({ patron, possible }: { patron: User; possible: string[] }) {
  const own = useOverrideWords();
  const { timeZone } = useFormats();
  const { user } = useMember();
  const [blocks, setBlocks] = useState<readonly string[]>(["patronBlock"].filter((one) => possible.includes(one)));
  const [comment, setComment] = useState("");
  const [day, setDay] = useState(today(timeZone).add({ weeks: 1 }).toString());
  const needsDate = blocks.some((block) => NEED_DATE.includes(block));
  return (
    <FormDialog
      title={own.title(nameOf(patron))}
      submit={own.start}
      onSubmit={async () => {
        if (blocks.length === 0) throw refusing(422, own.chooseOne);
        overrideVisit({
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
          <Tick
            key={block}
            value={blocks.includes(block)}
            onChange={(isWanted) =>
              setBlocks((now) => (isWanted ? [...now, block] : now.filter((one) => one !== block)))
            }
          >
            {own.blocks[block]}
          </Tick>
        ))}
      </fieldset>
      <OverrideReason value={comment} onChange={setComment} />
      {needsDate && <Field type="date" label={own.due} value={day} onChange={setDay} isRequired />}
    </FormDialog>
  );
}
