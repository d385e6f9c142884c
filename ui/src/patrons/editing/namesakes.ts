/** Whether somebody is registered already: who has the same card, account or e-mail, and who has the same name or was born that day. */

import { queryOptions } from "@tanstack/react-query";
import { all, any, begins, is } from "../../api/cql.ts";
import { list } from "../../api/list.ts";
import type { User } from "../../api/records.ts";
import type { Draft } from "./draft.ts";

/** What the server lets only one patron have. */
const UNIQUE = ["barcode", "username", "externalSystemId"] as const;

type Likeness = (typeof UNIQUE)[number] | "email" | "name" | "birthDate";

export interface Namesake {
  user: User;
  same: Likeness[];
}

const MOST = 10;

/** A day is a day, whatever hour the record gives it. */
export const dayOfBirth = (date: string | undefined) => date?.slice(0, 10) ?? "";

/** What is compared, in one line each: the query and its name in the memory are made of it. */
export interface Compared {
  id?: string | undefined;
  barcode: string;
  username: string;
  externalSystemId: string;
  email: string;
  lastName: string;
  firstName: string;
  bornOn: string;
}

function comparedOf(draft: Draft): Compared {
  const text = (value: string | undefined) => value?.trim() ?? "";
  return {
    id: draft.id,
    barcode: text(draft.barcode),
    username: text(draft.username),
    externalSystemId: text(draft.externalSystemId),
    email: text(draft["personal.email"]),
    lastName: text(draft["personal.lastName"]),
    firstName: text(draft["personal.firstName"]),
    bornOn: dayOfBirth(draft["personal.dateOfBirth"]),
  };
}

/** Of a stored patron only what has changed is asked about: who else has their name was asked when it was written. */
export function changedOf(draft: Draft, stored: Draft): Compared {
  const [now, before] = [comparedOf(draft), comparedOf(stored)];
  const isNamedAnew =
    now.lastName !== before.lastName || now.firstName !== before.firstName || now.bornOn !== before.bornOn;
  const anew = (field: "barcode" | "username" | "externalSystemId" | "email") =>
    now[field] === before[field] ? "" : now[field];
  return {
    id: now.id,
    barcode: anew("barcode"),
    username: anew("username"),
    externalSystemId: anew("externalSystemId"),
    email: anew("email"),
    ...(isNamedAnew
      ? { lastName: now.lastName, firstName: now.firstName, bornOn: now.bornOn }
      : { lastName: "", firstName: "", bornOn: "" }),
  };
}

/** Nothing where too little is written to ask for anybody. */
export function queryFor({ lastName, firstName, bornOn, email, ...said }: Compared): string | undefined {
  const identifiers = UNIQUE.filter((field) => said[field] !== "").map((field) => is(field, said[field]));
  const named = is("personal.lastName", lastName);
  const parts = [
    ...identifiers,
    ...(email === "" ? [] : [is("personal.email", email)]),
    ...(lastName === "" || firstName === "" ? [] : [all(named, is("personal.firstName", firstName))]),
    ...(lastName === "" || bornOn === "" ? [] : [all(named, begins("personal.dateOfBirth", bornOn))]),
  ];
  return parts.length === 0 ? undefined : any(...parts);
}

/** In what a stored patron is like the one that is written. */
export function likenesses(user: User, compared: Compared): Likeness[] {
  const same = (one: string | undefined, other: string) =>
    other !== "" && one?.localeCompare(other, undefined, { sensitivity: "base" }) === 0;
  const { lastName, firstName, email, dateOfBirth } = user.personal ?? {};
  const isNamed = same(lastName, compared.lastName) && same(firstName, compared.firstName);
  return [
    ...UNIQUE.filter((field) => same(user[field], compared[field])),
    ...(same(email, compared.email) ? (["email"] as const) : []),
    ...(isNamed ? (["name"] as const) : []),
    ...(same(dayOfBirth(dateOfBirth), compared.bornOn) ? (["birthDate"] as const) : []),
  ];
}

/** Whether the server will not have both. */
export const isTaken = ({ same }: Namesake) => UNIQUE.some((field) => same.includes(field));

/** Who is like the one that is written, whoever is most so first. */
export const namesakes = (compared: Compared) =>
  queryOptions({
    queryKey: ["patrons", "namesakes", compared],
    enabled: queryFor(compared) !== undefined,
    queryFn: async (): Promise<Namesake[]> => {
      const query = queryFor(compared);
      if (query === undefined) return [];
      const { users } = await list("/users", { query, limit: MOST });
      return users
        .filter(({ id }) => id !== compared.id)
        .map((user) => ({ user, same: likenesses(user, compared) }))
        .sort((one, other) => other.same.length - one.same.length);
    },
  });
