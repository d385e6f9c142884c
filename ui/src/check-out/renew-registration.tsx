/**
 * A button for a patron whose registration has expired: it sets a new expiration date, and refused scans are sent
 * again.
 */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { patronGroups } from "../api/library.ts";
import type { User } from "../api/records.ts";
import { endOfDay } from "../loans/override.tsx";
import { Button } from "../parts/button.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { aYearFromToday, becomesActive, lastRegistrationDay, renewRegistration } from "../patrons/registration.ts";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { notePatronChanged } from "./session.ts";

export function RenewRegistration({ borrower }: { borrower: User }) {
  const words = useWords().patrons;
  const may = useMay();
  const client = useQueryClient();
  const { timeZone, day } = useFormats();
  const groups = useQuery(patronGroups).data;
  const group = groups?.find(({ id }) => id === borrower.patronGroup);
  const last = lastRegistrationDay(group, timeZone) ?? aYearFromToday(timeZone);
  const said = day(endOfDay(last, timeZone));
  const renewing = useMutation({
    mutationFn: () => renewRegistration(borrower.id, last, timeZone),
    onSuccess: async (user) => {
      announce(words.renewedUntil(said));
      notePatronChanged(user);
      await Promise.all([
        client.invalidateQueries({ queryKey: ["patron"] }),
        client.invalidateQueries({ queryKey: ["borrower"] }),
      ]);
    },
  });
  // Before the groups are loaded, the new expiration date is not known.
  if (!may("users.item.get", "users.item.put") || groups === undefined) return null;
  return (
    <>
      <Button kind="primary" isDisabled={renewing.isPending} onPress={() => renewing.mutate()}>
        {(becomesActive(borrower) ? words.renewUntilActive : words.renewUntil)(said)}
      </Button>
      {renewing.error && <ErrorMessage error={renewing.error} />}
    </>
  );
}
