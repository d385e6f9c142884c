/** The addresses of a patron, at most one of each address type. */

import { useQuery } from "@tanstack/react-query";
import { addressTypes } from "../../api/patron-lists.ts";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { RepeatableFields } from "../../parts/several.tsx";
import { CheckboxField } from "../../parts/tick.tsx";
import { useFormats, useWords } from "../../words/index.tsx";
import { usePatronWords } from "../words/index.tsx";
import { countriesIn } from "./countries.ts";
import { type Address, withPrimaryAddress } from "./draft.ts";
import type { DraftEditing } from "./fields.tsx";

/** The id of FOLIO's address type "Home", the default for the first address. */
const HOME_ADDRESS_TYPE = "93d3d88d-499b-45d0-9bc7-ac73c3a19880";
const NO_COUNTRY = "none";

/** The text fields of an address, in the order in which they are written. */
const ADDRESS_LINES = [
  ["addressLine1", "line1"],
  ["addressLine2", "line2"],
  ["postalCode", "postalCode"],
  ["city", "city"],
  ["region", "region"],
] as const;

export function Addresses({ draft, change, problem }: DraftEditing) {
  const words = usePatronWords();
  const common = useWords();
  const { locale } = useFormats();
  const types = useQuery(addressTypes).data ?? [];
  const addresses = draft["personal.addresses"] ?? [];
  const countries = [{ id: NO_COUNTRY, name: common.none }, ...countriesIn(locale)];
  const unused = types.filter(({ id }) => addresses.every(({ addressTypeId }) => addressTypeId !== id));
  const usual = unused.find(({ id }) => id === HOME_ADDRESS_TYPE) ?? unused[0] ?? types[0];
  const refused = problem?.field === "personal.addresses" ? words.refused[problem.reason] : undefined;
  const set = (next: Address[]) => change({ "personal.addresses": next });
  return (
    <>
      <RepeatableFields
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
            {ADDRESS_LINES.map(([part, name]) => (
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
            <CheckboxField
              value={address.primaryAddress}
              onChange={(on) =>
                on ? set(withPrimaryAddress(addresses, addresses.indexOf(address))) : edit({ primaryAddress: false })
              }
            >
              {words.address.primary}
            </CheckboxField>
          </>
        )}
      </RepeatableFields>
      {refused && (
        <p className="error" role="alert">
          {refused}
        </p>
      )}
    </>
  );
}
