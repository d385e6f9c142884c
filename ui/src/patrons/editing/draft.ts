/**
 * The record of a patron while it is written: the members of `personal` lie beside the others, under the path of each. What a form
 * does not show stays in it, and goes back to the server as it came.
 */

import type { User } from "../../api/records.ts";

type Personal = NonNullable<User["personal"]>;
export type Address = NonNullable<Personal["addresses"]>[number];

export type Draft = { [K in keyof Omit<User, "personal">]?: User[K] | undefined } & {
  [K in keyof Personal as `personal.${K}`]?: Personal[K] | undefined;
};

const PERSONAL = "personal.";

export function laidOpen({ personal, ...rest }: Partial<User>): Draft {
  const parts = Object.entries(personal ?? {}).map(([name, value]) => [PERSONAL + name, value]);
  return { ...rest, ...Object.fromEntries(parts) };
}

/** What the server takes: texts without blanks around them, and nothing for what was left empty. */
export function finished(draft: Draft): User {
  const said = Object.entries({ ...draft, "personal.addresses": addressesOf(draft) }).flatMap(([path, value]) => {
    const trimmed = typeof value === "string" ? value.trim() : value;
    return trimmed === undefined || trimmed === "" ? [] : [[path, trimmed] as const];
  });
  const isPersonal = ([path]: readonly [string, unknown]) => path.startsWith(PERSONAL);
  const personal = said.filter(isPersonal).map(([path, value]) => [path.slice(PERSONAL.length), value]);
  return {
    ...(Object.fromEntries(said.filter((one) => !isPersonal(one))) as unknown as User),
    personal: Object.fromEntries(personal) as unknown as Personal,
  };
}

/** Addresses in which something is written; the first is where post goes if none is said to be. */
function addressesOf({ "personal.addresses": addresses }: Draft): Address[] | undefined {
  const written = addresses?.map(filled).filter(({ addressTypeId: _, primaryAddress: __, id: ___, ...lines }) => {
    return Object.keys(lines).length > 0;
  });
  const [first, ...rest] = written ?? [];
  if (first === undefined || written?.some(({ primaryAddress }) => primaryAddress)) return written;
  return [{ ...first, primaryAddress: true }, ...rest];
}

function filled(address: Address): Address {
  const said = Object.entries(address)
    .map(([name, value]) => [name, typeof value === "string" ? value.trim() : value])
    .filter(([, value]) => value !== "" && value !== undefined);
  return Object.fromEntries(said) as Address;
}

/** The one that is chosen gets the post, the others do not. */
export const primaryAt = (addresses: readonly Address[], chosen: number): Address[] =>
  addresses.map((address, index) => ({ ...address, primaryAddress: index === chosen }));

/** Whether anything would be written that is not stored. */
export function differs(draft: Draft, stored: Draft): boolean {
  const inOrder = (record: Draft) => JSON.stringify(Object.entries(finished(record)).sort().map(flat));
  return inOrder(draft) !== inOrder(stored);
}

const flat = ([name, value]: [string, unknown]) =>
  name === "personal" ? [name, Object.entries(value as object).sort()] : [name, value];

/** Wishes by which a patron is told something, under FOLIO's ids. */
export const CONTACT_TYPES = { mail: "001", email: "002", text: "003", phone: "004", mobile: "005" } as const;
export type ContactType = keyof typeof CONTACT_TYPES;
