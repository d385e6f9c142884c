/** Renews the registration of a patron, for as long as their group says, or until another day. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { patronGroups } from "../api/library.ts";
import type { PatronGroup, User } from "../api/records.ts";
import { endOfDay } from "../loans/override.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { announce } from "../scanning/signals.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { aYearFromToday, becomesActive, lastRegistrationDay, renewRegistration } from "./registration.ts";
import { usePatronWords } from "./words/index.tsx";

export function RenewRegistrationButton({ user }: { user: User }) {
  const words = useWords().patrons;
  const group = useQuery(patronGroups).data?.find(({ id }) => id === user.patronGroup);
  return (
    <DialogOpener>
      <Button>{words.renewRegistration}</Button>
      <RenewRegistrationDialog user={user} group={group} />
    </DialogOpener>
  );
}

function RenewRegistrationDialog({ user, group }: { user: User; group: PatronGroup | undefined }) {
  const words = useWords().patrons;
  const own = usePatronWords().renew;
  const client = useQueryClient();
  const { timeZone, day } = useFormats();
  const [last, setLast] = useState(lastRegistrationDay(group, timeZone) ?? aYearFromToday(timeZone));
  return (
    <FormDialog
      title={words.renewRegistration}
      submit={own.submit}
      onSubmit={async () => {
        await renewRegistration(user.id, last, timeZone);
        announce(words.renewedUntil(day(endOfDay(last, timeZone))));
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      <Field
        type="date"
        label={words.expires}
        help={group?.expirationOffsetInDays === undefined ? own.noOffset : own.offset(group.expirationOffsetInDays)}
        value={last}
        onChange={setLast}
        isRequired
        autoFocus
      />
      {becomesActive(user) && <p className="banner">{own.becomesActive}</p>}
    </FormDialog>
  );
}
