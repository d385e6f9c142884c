/**
 * The form of a manual block: reason, blocked actions, expiration date, and the message for the patron. A template can
 * fill it in.
 */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, createRefusal } from "../api/http.ts";
import { blockTemplates } from "../api/patron-lists.ts";
import type { ManualBlock } from "../api/records.ts";
import { endOfDay } from "../loans/override.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { usePatronWords } from "./words/index.tsx";

type Draft = Omit<ManualBlock, "id" | "userId">;

const NEW_BLOCK: Draft = { type: "Manual", desc: "", borrowing: true, renewals: true, requests: true };
const BLOCKED_ACTIONS = ["borrowing", "renewals", "requests"] as const;

export function BlockDialog({ userId, stored }: { userId: string; stored?: ManualBlock }) {
  const words = useWords();
  const own = usePatronWords().blocks;
  const client = useQueryClient();
  const { timeZone, isoDay } = useFormats();
  const [draft, setDraft] = useState<Draft>(stored ?? NEW_BLOCK);
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const { expirationDate = "" } = draft;
  return (
    <FormDialog
      title={stored ? own.edit : words.patrons.addBlock}
      submit={words.save}
      onSubmit={async () => {
        if (!BLOCKED_ACTIONS.some((what) => draft[what])) throw createRefusal(422, own.againstNothing);
        const said = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== ""));
        const body = { ...said, userId };
        if (stored) await ask(`/manualblocks/${stored.id}`, { method: "PUT", body });
        else await ask("/manualblocks", { method: "POST", body });
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      {!stored && <TemplateChoice onChoose={(template) => setDraft({ ...NEW_BLOCK, ...template })} />}
      <Field
        label={words.patrons.blockWhy}
        value={draft.desc}
        onChange={(desc) => change({ desc })}
        isRequired
        autoFocus
      />
      <Field
        label={words.patrons.blockStaff}
        value={draft.staffInformation ?? ""}
        onChange={(staffInformation) => change({ staffInformation })}
        lines={2}
      />
      <Field
        label={own.message}
        help={own.messageHelp}
        value={draft.patronMessage ?? ""}
        onChange={(patronMessage) => change({ patronMessage })}
        lines={2}
      />
      <Field
        type="date"
        label={own.until}
        help={own.untilHelp}
        value={expirationDate && isoDay(expirationDate)}
        onChange={(day) => change({ expirationDate: day && endOfDay(day, timeZone) })}
      />
      <fieldset className="checks">
        <legend>{words.patrons.blockAgainst}</legend>
        {BLOCKED_ACTIONS.map((what) => (
          <CheckboxField key={what} value={draft[what]} onChange={(on) => change({ [what]: on })}>
            {words.patrons.against[what]}
          </CheckboxField>
        ))}
      </fieldset>
    </FormDialog>
  );
}

/** Shows nothing if the library has no block templates. */
function TemplateChoice({ onChoose }: { onChoose: (filled: Partial<Draft>) => void }) {
  const own = usePatronWords();
  const may = useMay();
  const templates = useQuery({ ...blockTemplates, enabled: may("manual-block-templates.collection.get") }).data ?? [];
  const [chosen, choose] = useState<string>();
  if (templates.length === 0) return null;
  return (
    <Choice
      label={own.blocks.template}
      options={templates.map(({ id, name }) => ({ id, name }))}
      value={chosen ?? null}
      placeholder={own.choose}
      onChange={(id) => {
        choose(id);
        const { blockTemplate, code } = templates.find((one) => one.id === id) ?? {};
        onChoose({ ...blockTemplate, ...(code && { code }) });
      }}
    />
  );
}
