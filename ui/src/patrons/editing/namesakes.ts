/**
 * Finds out whether a person is registered already: by barcode, user name, external system ID or e-mail address, or by
 * name and date of birth.
 */

import { queryOptions } from "@tanstack/react-query";
import { and, equals, or, startsWith } from "../../api/cql.ts";
import { list } from "../../api/list.ts";
import type { User } from "../../api/records.ts";
import type { Draft } from "./draft.ts";

/** Members that no two patrons may share. */
const UNIQUE_FIELDS = ["barcode", "username", "externalSystemId"] as const;

type Likeness = (typeof UNIQUE_FIELDS)[number] | "email" | "name" | "birthDate";

export interface Namesake {
  user: User;
  same: Likeness[];
}

const MAX_NAMESAKES = 10;

/** Only the day of the date of birth, without the time that the record gives. */
export const dayOfBirth = (date: string | undefined) => date?.slice(0, 10) ?? "";

/** The compared values; the query and its cache key are made of them. */
export interface ComparedFields {
  id?: string | undefined;
  barcode: string;
  username: string;
  externalSystemId: string;
  email: string;
  lastName: string;
  firstName: string;
  bornOn: string;
}

function toComparedFields(draft: Draft): ComparedFields {
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

/** For a stored patron only changed values are compared, since namesakes were checked when the record was created. */
export function changedFields(draft: Draft, stored: Draft): ComparedFields {
  const [now, before] = [toComparedFields(draft), toComparedFields(stored)];
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

/** Undefined if too little is known to search for anybody. */
export function namesakeQuery({ lastName, firstName, bornOn, email, ...said }: ComparedFields): string | undefined {
  const identifiers = UNIQUE_FIELDS.filter((field) => said[field] !== "").map((field) => equals(field, said[field]));
  const named = equals("personal.lastName", lastName);
  const parts = [
    ...identifiers,
    ...(email === "" ? [] : [equals("personal.email", email)]),
    ...(lastName === "" || firstName === "" ? [] : [and(named, equals("personal.firstName", firstName))]),
    ...(lastName === "" || bornOn === "" ? [] : [and(named, startsWith("personal.dateOfBirth", bornOn))]),
  ];
  return parts.length === 0 ? undefined : or(...parts);
}

/** What a stored patron has in common with the one in the form. */
export function likenesses(user: User, compared: ComparedFields): Likeness[] {
  const same = (one: string | undefined, other: string) =>
    other !== "" && one?.localeCompare(other, undefined, { sensitivity: "base" }) === 0;
  const { lastName, firstName, email, dateOfBirth } = user.personal ?? {};
  const isNamed = same(lastName, compared.lastName) && same(firstName, compared.firstName);
  return [
    ...UNIQUE_FIELDS.filter((field) => same(user[field], compared[field])),
    ...(same(email, compared.email) ? (["email"] as const) : []),
    ...(isNamed ? (["name"] as const) : []),
    ...(same(dayOfBirth(dateOfBirth), compared.bornOn) ? (["birthDate"] as const) : []),
  ];
}

/** Whether the server would refuse to store both. */
export const hasSameIdentifier = ({ same }: Namesake) => UNIQUE_FIELDS.some((field) => same.includes(field));

/** The stored patrons who resemble the one in the form, the most similar first. */
export const namesakes = (compared: ComparedFields) =>
  queryOptions({
    queryKey: ["patrons", "namesakes", compared],
    enabled: namesakeQuery(compared) !== undefined,
    queryFn: async (): Promise<Namesake[]> => {
      const query = namesakeQuery(compared);
      if (query === undefined) return [];
      const { users } = await list("/users", { query, limit: MAX_NAMESAKES });
      return users
        .filter(({ id }) => id !== compared.id)
        .map((user) => ({ user, same: likenesses(user, compared) }))
        .sort((one, other) => other.same.length - one.same.length);
    },
  });
