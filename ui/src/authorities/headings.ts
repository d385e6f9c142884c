/** Reads the headings of an authority from the members of FOLIO's record. */

import type { Authority } from "./calls.ts";

/** Members of the authority record with the heading type under which they are searched. */
const KIND_BY_MEMBER = {
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
  /** See references: headings that lead to this one. */
  seeFrom: readonly string[];
  /** See also references: related headings. */
  seeAlso: readonly string[];
}

export function headingsOf(authority: Authority): Headings {
  const members = Object.keys(KIND_BY_MEMBER) as (keyof typeof KIND_BY_MEMBER)[];
  const own = members.find((member) => typeof authority[member] === "string");
  const lists = (prefix: string) =>
    members.flatMap((member) => {
      const values = authority[`${prefix}${member.charAt(0).toUpperCase()}${member.slice(1)}`];
      return Array.isArray(values) ? values.map(String) : [];
    });
  return {
    heading: own ? String(authority[own]) : "",
    kind: own && KIND_BY_MEMBER[own],
    seeFrom: lists("sft"),
    seeAlso: lists("saft"),
  };
}
