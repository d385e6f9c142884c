/** Where a patron lives, works, and has their bills sent: one address of each kind. */

import { useQuery } from "@tanstack/react-query";
import { addressTypes } from "../../api/patron-lists.ts";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { Several } from "../../parts/several.tsx";
import { Tick } from "../../parts/tick.tsx";
import { useFormats, useWords } from "../../words/index.tsx";
import { usePatronWords } from "../words/index.tsx";
import { countriesIn } from "./countries.ts";
import { type Address, primaryAt } from "./draft.ts";
import type { Editing } from "./fields.tsx";

/** The kind that comes with FOLIO for where people live: the usual one for a first address. */
const HOME = "93d3d88d-499b-45d0-9bc7-ac73c3a19880";
const NO_COUNTRY = "none";

/** The lines of an address, in the order in which they are written. */
const LINES = [
  ["addressLine1", "line1"],
  ["addressLine2", "line2"],
  ["postalCode", "postalCode"],
  ["city", "city"],
  ["region", "region"],
] as const;

export function Addresses({ draft, change, problem }: Editing) {
  const words = usePatronWords();
  const common = useWords();
  const { locale } = useFormats();
  const types = useQuery(addressTypes).data ?? [];
  const addresses = draft["personal.addresses"] ?? [];
  const countries = [{ id: NO_COUNTRY, name: common.none }, ...countriesIn(locale)];
  const unused = types.filter(({ id }) => addresses.every(({ addressTypeId }) => addressTypeId !== id));
  const usual = unused.find(({ id }) => id === HOME) ?? unused[0] ?? types[0];
  const refused = problem?.field === "personal.addresses" ? words.refused[problem.reason] : undefined;
  const set = (next: Address[]) => change({ "personal.addresses": next });
  return (
    <>
      <Several
        legend={words.sections.addresses}
        add={words.address.add}
        parts={addresses}
        blank={{ addressTypeId: usual?.id ?? "", primaryAddress: addresses.length === 0 }}
        onChange={set}
      >
        {(address, edit) => (
          <>
            <Choice
              label={words.address.type}
              options={types.map(({ id, addressType }) => ({ id, name: addressType }))}
              value={address.addressTypeId}
              onChange={(addressTypeId) => edit({ addressTypeId })}
              isRequired
            />
            {LINES.map(([part, name]) => (
              <Field
                key={part}
                label={words.address[name]}
                value={address[part] ?? ""}
                onChange={(value) => edit({ [part]: value })}
                autoComplete="off"
              />
            ))}
            <Choice
              label={words.address.country}
              options={countries}
              value={address.countryId ?? NO_COUNTRY}
              onChange={(id) => edit({ countryId: id === NO_COUNTRY ? "" : id })}
            />
            <Tick
              value={address.primaryAddress}
              onChange={(on) =>
                on ? set(primaryAt(addresses, addresses.indexOf(address))) : edit({ primaryAddress: false })
              }
            >
              {words.address.primary}
            </Tick>
          </>
        )}
      </Several>
      {refused && (
        <p className="error" role="alert">
          {refused}
        </p>
      )}
    </>
  );
}
