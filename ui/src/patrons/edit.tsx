/** What the desk changes about a patron: name, card, group, time, how to reach them. */

import { parseDate, today } from "@internationalized/date";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { ask } from "../api/http.ts";
import { patronGroups } from "../api/library.ts";
import type { User } from "../api/records.ts";
import { endOfDay } from "../loans/override.tsx";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { announce } from "../scanning/signals.tsx";
import { useFormats, useWords } from "../words/index.tsx";

export function EditPatron({ user }: { user: User }) {
  const words = useWords();
  return (
    <Opens>
      <Button>{words.patrons.edit}</Button>
      <EditDialog user={user} />
    </Opens>
  );
}

function EditDialog({ user }: { user: User }) {
  const words = useWords();
  const client = useQueryClient();
  const { timeZone, isoDay, day } = useFormats();
  const groups = useQuery(patronGroups).data ?? [];
  const [draft, setDraft] = useState(user);
  const [expires, setExpires] = useState(user.expirationDate ? isoDay(user.expirationDate) : "");
  const personal = (change: Partial<NonNullable<User["personal"]>>) =>
    setDraft((now) => ({ ...now, personal: { lastName: "", ...now.personal, ...change } }));
  /** Whoever joins a group is registered for as long as the group says, from today. */
  const join = (patronGroup: string) => {
    setDraft((now) => ({ ...now, patronGroup }));
    const days = groups.find(({ id }) => id === patronGroup)?.expirationOffsetInDays;
    if (days === undefined || patronGroup === user.patronGroup) return;
    const end = today(timeZone).add({ days }).toString();
    setExpires(end);
    announce(`${words.patrons.expires}: ${day(endOfDay(end, timeZone))}`);
  };
  return (
    <FormDialog
      title={words.patrons.edit}
      submit={words.save}
      onSubmit={async () => {
        const { expirationDate: _, ...rest } = draft;
        const body = { ...rest, ...(expires && { expirationDate: endOfDay(parseDate(expires).toString(), timeZone) }) };
        await ask(`/users/${user.id}`, { method: "PUT", body });
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      <div className="pair">
        <Field
          label={words.patrons.firstName}
          value={draft.personal?.firstName ?? ""}
          onChange={(firstName) => personal({ firstName })}
          autoFocus
        />
        <Field
          label={words.patrons.lastName}
          value={draft.personal?.lastName ?? ""}
          onChange={(lastName) => personal({ lastName })}
          isRequired
        />
      </div>
      <div className="pair">
        <Field
          label={words.patron.barcode}
          value={draft.barcode ?? ""}
          onChange={(barcode) => setDraft((now) => ({ ...now, barcode }))}
        />
        <Choice
          label={words.patron.group}
          options={groups.map(({ id, group }) => ({ id, name: group }))}
          value={draft.patronGroup ?? null}
          onChange={join}
        />
      </div>
      <div className="pair">
        <Field type="date" label={words.patrons.expires} value={expires} onChange={setExpires} />
        <Checkbox
          className="check"
          isSelected={draft.active ?? false}
          onChange={(active) => setDraft((now) => ({ ...now, active }))}
        >
          <span className="tick" aria-hidden="true" />
          {words.patron.active}
        </Checkbox>
      </div>
      <Field
        type="email"
        label={words.patrons.email}
        value={draft.personal?.email ?? ""}
        onChange={(email) => personal({ email })}
      />
      <Field
        type="tel"
        label={words.patrons.phone}
        value={draft.personal?.phone ?? ""}
        onChange={(phone) => personal({ phone })}
      />
    </FormDialog>
  );
}
