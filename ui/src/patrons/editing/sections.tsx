/** The sections of a patron's form: name, card and account, contact, and more. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { patronGroups } from "../../api/library.ts";
import { departments } from "../../api/patron-lists.ts";
import { endOfDay } from "../../loans/override.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { CheckboxField } from "../../parts/tick.tsx";
import { useFormats } from "../../words/index.tsx";
import { lastRegistrationDay } from "../registration.ts";
import { usePatronWords } from "../words/index.tsx";
import { BarcodeField } from "./barcode-field.tsx";
import { CONTACT_TYPES, type ContactType } from "./draft.ts";
import { type DraftEditing, PatronTextField } from "./fields.tsx";
import { dayOfBirth } from "./namesakes.ts";

export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="sheet" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function NameSection({ children, ...editing }: DraftEditing & { children: ReactNode }) {
  const words = usePatronWords();
  const { draft, change, problem } = editing;
  return (
    <FormSection title={words.sections.name}>
      <div className="fields">
        <PatronTextField at="personal.lastName" {...editing} isRequired autoFocus />
        <PatronTextField at="personal.firstName" {...editing} />
        <PatronTextField at="personal.middleName" {...editing} />
        <PatronTextField at="personal.preferredFirstName" {...editing} />
        <Field
          type="date"
          label={words.fields["personal.dateOfBirth"] ?? ""}
          value={dayOfBirth(draft["personal.dateOfBirth"])}
          onChange={(day) => change({ "personal.dateOfBirth": day })}
          error={problem?.field === "personal.dateOfBirth" ? words.refused.birthDate : undefined}
        />
      </div>
      {children}
    </FormSection>
  );
}

export function CardSection(editing: DraftEditing) {
  const words = usePatronWords();
  const { draft, change, problem } = editing;
  return (
    <FormSection title={words.sections.card}>
      <div className="fields">
        <BarcodeField {...editing} />
        <GroupAndExpiration {...editing} />
        <PatronTextField at="username" {...editing} />
        <PatronTextField at="externalSystemId" {...editing} />
        <Choice
          label={words.fields.type ?? ""}
          options={accountTypes(draft.type, words.accounts)}
          value={draft.type ?? null}
          placeholder={words.choose}
          onChange={(type) => change({ type })}
        />
        <CheckboxField value={draft.active} onChange={(active) => change({ active })}>
          {words.fields.active}
        </CheckboxField>
      </div>
      {problem?.field === "patronGroup" && <p className="error">{words.refused.group}</p>}
    </FormSection>
  );
}

/** An account of another kind, which another program has made, keeps its kind. */
function accountTypes(type: string | undefined, names: Record<string, string>): { id: string; name: string }[] {
  const known = Object.entries(names).map(([id, name]) => ({ id, name }));
  return type === undefined || type in names ? known : [...known, { id: type, name: type }];
}

/** Choosing a group proposes an expiration date, as many days from today as the group says. */
function GroupAndExpiration({ draft, change }: DraftEditing) {
  const words = usePatronWords();
  const { timeZone, isoDay, day } = useFormats();
  const groups = useQuery(patronGroups).data ?? [];
  const [proposed, propose] = useState<string>();
  const join = (patronGroup: string) => {
    const last = lastRegistrationDay(
      groups.find(({ id }) => id === patronGroup),
      timeZone,
    );
    const end = last && endOfDay(last, timeZone);
    propose(end);
    change({ patronGroup, ...(end && { expirationDate: end }) });
  };
  return (
    <>
      <Choice
        label={words.fields.patronGroup ?? ""}
        options={groups.map(({ id, group }) => ({ id, name: group }))}
        value={draft.patronGroup ?? null}
        placeholder={words.choose}
        onChange={join}
        isRequired
      />
      <Field
        type="date"
        label={words.fields.expirationDate ?? ""}
        value={draft.expirationDate ? isoDay(draft.expirationDate) : ""}
        help={proposed && words.help.expires(day(proposed))}
        onChange={(last) => change({ expirationDate: last && endOfDay(last, timeZone) })}
      />
    </>
  );
}

export function ContactSection(editing: DraftEditing) {
  const words = usePatronWords();
  const { draft, change } = editing;
  const wish = draft["personal.preferredContactTypeId"];
  const byMail = wish === CONTACT_TYPES.email;
  const wishes = Object.entries(words.contactTypes) as [ContactType, string][];
  return (
    <FormSection title={words.sections.contact}>
      <div className="fields">
        <Choice
          label={words.fields["personal.preferredContactTypeId"] ?? ""}
          options={wishes.map(([type, name]) => ({ id: CONTACT_TYPES[type], name }))}
          value={(wish as (typeof CONTACT_TYPES)[ContactType] | undefined) ?? null}
          placeholder={words.choose}
          onChange={(type) => change({ "personal.preferredContactTypeId": type })}
          isRequired
        />
        <PatronTextField
          at="personal.email"
          type="email"
          {...editing}
          isRequired={byMail}
          help={byMail ? words.help.email : undefined}
        />
        <PatronTextField at="personal.phone" type="tel" {...editing} />
        <PatronTextField at="personal.mobilePhone" type="tel" {...editing} />
      </div>
    </FormSection>
  );
}

export function MoreSection({ draft, change }: DraftEditing) {
  const words = usePatronWords();
  const all = useQuery(departments).data ?? [];
  const chosen = draft.departments ?? [];
  const [tags, setTags] = useState((draft.tags?.tagList ?? []).join(", "));
  return (
    <FormSection title={words.sections.more}>
      {all.length > 0 && (
        <fieldset className="checks">
          <legend>{words.fields.departments}</legend>
          {all.map(({ id, name }) => (
            <CheckboxField
              key={id}
              value={chosen.includes(id)}
              onChange={(on) => change({ departments: on ? [...chosen, id] : chosen.filter((one) => one !== id) })}
            >
              {name}
            </CheckboxField>
          ))}
        </fieldset>
      )}
      <Field
        label={words.fields.tags ?? ""}
        help={words.help.tags}
        value={tags}
        onChange={(text) => {
          setTags(text);
          change({ tags: { tagList: parseTags(text) } });
        }}
      />
    </FormSection>
  );
}

/** FOLIO stores tags in lower case. */
function parseTags(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim().toLowerCase());
  return [...new Set(tags.filter(Boolean))];
}
