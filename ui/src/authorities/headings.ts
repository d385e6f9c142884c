/** The headings of an authority, from the members that FOLIO keeps them in. */

import type { Authority } from "./calls.ts";

/** Each with the kind under which it is found. */
const MEMBERS = {
  personalName: "Personal Name",
  personalNameTitle: "Personal Name",
  corporateName: "Corporate Name",
  corporateNameTitle: "Corporate Name",
  meetingName: "Conference Name",
  meetingNameTitle: "Conference Name",
  uniformTitle: "Uniform Title",
  topicalTerm: "Topical",
  geographicName: "Geographic Name",
  genreTerm: "Genre",
} as const;

export interface Headings {
  heading: string;
  kind: string | undefined;
  /** From which one is led to it. */
  from: readonly string[];
  /** To which one is led from it. */
  also: readonly string[];
}

export function headingsOf(authority: Authority): Headings {
  const members = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];
  const own = members.find((member) => typeof authority[member] === "string");
  const lists = (prefix: string) =>
    members.flatMap((member) => {
      const values = authority[`${prefix}${member.charAt(0).toUpperCase()}${member.slice(1)}`];
      return Array.isArray(values) ? values.map(String) : [];
    });
  return {
    heading: own ? String(authority[own]) : "",
    kind: own && MEMBERS[own],
    from: lists("sft"),
    also: lists("saft"),
  };
}
