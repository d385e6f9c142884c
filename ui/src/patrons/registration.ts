/** For how long a patron is registered, and its renewal. */

import { today } from "@internationalized/date";
import { ask } from "../api/http.ts";
import type { PatronGroup, User } from "../api/records.ts";
import { endOfDay } from "../loans/override.tsx";

/** The last day of a registration that begins today, if the group says how long it is. */
export function lastDay(group: PatronGroup | undefined, timeZone: string): string | undefined {
  const days = group?.expirationOffsetInDays;
  return days === undefined ? undefined : today(timeZone).add({ days }).toString();
}

/** Where the group says nothing. */
export const aYearFromToday = (timeZone: string) => today(timeZone).add({ years: 1 }).toString();

export const isExpired = ({ expirationDate }: User) =>
  expirationDate !== undefined && Date.parse(expirationDate) < Date.now();

/** Whoever has expired was set to inactive for it, every night; the renewal makes them active again. */
export const becomesActive = (user: User) => user.active === false && isExpired(user);

/** Writes the new last day into the record as it is now. */
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
