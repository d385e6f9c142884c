/**
 * A patron's record as the form edits it: members of `personal` and of `customFields` are on the top level, under their
 * paths. Members that the form does not show are kept, and are sent back unchanged.
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

export function toDraft({ personal, customFields, ...rest }: Partial<User>): Draft {
  const under = (path: string, parts: object = {}) =>
    Object.entries(parts).map(([name, value]) => [path + name, value]);
  return { ...rest, ...Object.fromEntries([...under(PERSONAL, personal), ...under(CUSTOM, customFields)]) };
}

/** The data that persons of one household share. Barcode, user name, group and everything else belong to one person. */
export function householdDraft({ personal }: User): Draft {
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

/** The record that is sent to the server: trimmed texts, without empty members. */
export function toUser(draft: Draft): User {
  const said = Object.entries({ ...draft, "personal.addresses": filledAddresses(draft) }).flatMap(([path, value]) => {
    const written = path.startsWith(CUSTOM) && Array.isArray(value) ? filledValues(value as readonly string[]) : value;
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

/** The values of a list that are not empty. */
function filledValues(values: readonly string[]): readonly string[] | undefined {
  const written = values.map((value) => value.trim()).filter(Boolean);
  return written.length === 0 ? undefined : written;
}

/** The addresses that are not empty; the first one is the primary address if none is marked. */
function filledAddresses({ "personal.addresses": addresses }: Draft): Address[] | undefined {
  const written = addresses
    ?.map(withoutEmptyLines)
    .filter(({ addressTypeId: _, primaryAddress: __, id: ___, ...lines }) => {
      return Object.keys(lines).length > 0;
    });
  const [first, ...rest] = written ?? [];
  if (first === undefined || written?.some(({ primaryAddress }) => primaryAddress)) return written;
  return [{ ...first, primaryAddress: true }, ...rest];
}

function withoutEmptyLines(address: Address): Address {
  const said = Object.entries(address)
    .map(([name, value]) => [name, typeof value === "string" ? value.trim() : value])
    .filter(([, value]) => value !== "" && value !== undefined);
  return Object.fromEntries(said) as Address;
}

/** Marks one address as the primary one, and no other. */
export const withPrimaryAddress = (addresses: readonly Address[], chosen: number): Address[] =>
  addresses.map((address, index) => ({ ...address, primaryAddress: index === chosen }));

/** Whether saving would change the stored record. */
export function hasChanges(draft: Draft, stored: Draft): boolean {
  const inOrder = (record: Draft) => JSON.stringify(Object.entries(toUser(record)).sort().map(sortMembers));
  return inOrder(draft) !== inOrder(stored);
}

const sortMembers = ([name, value]: [string, unknown]) =>
  name === "personal" || name === "customFields" ? [name, Object.entries(value as object).sort()] : [name, value];

/** The preferred contact types, with FOLIO's ids. */
export const CONTACT_TYPES = { mail: "001", email: "002", text: "003", phone: "004", mobile: "005" } as const;
export type ContactType = keyof typeof CONTACT_TYPES;
