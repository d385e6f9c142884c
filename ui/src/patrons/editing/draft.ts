/**
 * The record of a patron while it is written: the members of `personal` and the custom fields lie beside the others, under the path of
 * each. What a form does not show stays in it, and goes back to the server as it came.
 */

import type { User } from "../../api/records.ts";
import type { CustomValue } from "../custom/values.ts";

type Personal = NonNullable<User["personal"]>;
export type Address = NonNullable<Personal["addresses"]>[number];

export type Draft = { [K in keyof Omit<User, "personal" | "customFields">]?: User[K] | undefined } & {
  [K in keyof Personal as `personal.${K}`]?: Personal[K] | undefined;
} & { [K in `customFields.${string}`]?: CustomValue };

const PERSONAL = "personal.";
const CUSTOM = "customFields.";

export function laidOpen({ personal, customFields, ...rest }: Partial<User>): Draft {
  const under = (path: string, parts: object = {}) =>
    Object.entries(parts).map(([name, value]) => [path + name, value]);
  return { ...rest, ...Object.fromEntries([...under(PERSONAL, personal), ...under(CUSTOM, customFields)]) };
}

/** What those who live together have in common. A card, an account, a group and what else is kept of somebody are their own. */
export function householdOf({ personal }: User): Draft {
  const { lastName, email, phone, mobilePhone, preferredContactTypeId, addresses } = personal ?? {};
  return {
    "personal.lastName": lastName,
    "personal.email": email,
    "personal.phone": phone,
    "personal.mobilePhone": mobilePhone,
    ...(preferredContactTypeId && { "personal.preferredContactTypeId": preferredContactTypeId }),
    "personal.addresses": addresses?.map(({ id: _, ...address }) => address),
  };
}

/** What the server takes: texts without blanks around them, and nothing for what was left empty. */
export function finished(draft: Draft): User {
  const said = Object.entries({ ...draft, "personal.addresses": addressesOf(draft) }).flatMap(([path, value]) => {
    const written = path.startsWith(CUSTOM) && Array.isArray(value) ? linesOf(value as readonly string[]) : value;
    const trimmed = typeof written === "string" ? written.trim() : written;
    return trimmed === undefined || trimmed === "" ? [] : [[path, trimmed] as const];
  });
  const under = (start: string) =>
    said.flatMap(([path, value]) => (path.startsWith(start) ? [[path.slice(start.length), value]] : []));
  const rest = said.filter(([path]) => !path.startsWith(PERSONAL) && !path.startsWith(CUSTOM));
  const custom = under(CUSTOM);
  return {
    ...(Object.fromEntries(rest) as unknown as User),
    personal: Object.fromEntries(under(PERSONAL)) as unknown as Personal,
    ...(custom.length > 0 && { customFields: Object.fromEntries(custom) }),
  };
}

/** The values of a list in which something is written. */
function linesOf(values: readonly string[]): readonly string[] | undefined {
  const written = values.map((value) => value.trim()).filter(Boolean);
  return written.length === 0 ? undefined : written;
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
  name === "personal" || name === "customFields" ? [name, Object.entries(value as object).sort()] : [name, value];

/** Wishes by which a patron is told something, under FOLIO's ids. */
export const CONTACT_TYPES = { mail: "001", email: "002", text: "003", phone: "004", mobile: "005" } as const;
export type ContactType = keyof typeof CONTACT_TYPES;
