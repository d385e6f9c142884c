/** The end of a patron's registration (FOLIO's expiration date), and its renewal. */

import { today } from "@internationalized/date";
import { ask } from "../api/http.ts";
import type { PatronGroup, User } from "../api/records.ts";
import { endOfDay } from "../loans/override.tsx";

/** The last day of a registration that begins today; undefined if the patron group does not say how long it lasts. */
export function lastRegistrationDay(group: PatronGroup | undefined, timeZone: string): string | undefined {
  const days = group?.expirationOffsetInDays;
  return days === undefined ? undefined : today(timeZone).add({ days }).toString();
}

/** The default, if the patron group does not say how long a registration lasts. */
export const aYearFromToday = (timeZone: string) => today(timeZone).add({ years: 1 }).toString();

export const isExpired = ({ expirationDate }: User) =>
  expirationDate !== undefined && Date.parse(expirationDate) < Date.now();

/** The server sets expired patrons to inactive every night; a renewal makes them active again. */
export const becomesActive = (user: User) => user.active === false && isExpired(user);

/** Reads the current record and writes it with the new expiration date. */
export async function renewRegistration(id: string, day: string, timeZone: string): Promise<User> {
  const user = await ask<User>(`/users/${id}`);
  const renewed = {
    ...user,
    ...(becomesActive(user) && { active: true }),
    expirationDate: endOfDay(day, timeZone),
  };
  await ask(`/users/${id}`, { method: "PUT", body: renewed });
  return renewed;
}
