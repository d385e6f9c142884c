/** The parts of the form: who it is, their card and account, how to reach them, and what else the library keeps. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { patronGroups } from "../../api/library.ts";
import { departments } from "../../api/patron-lists.ts";
import { endOfDay } from "../../loans/override.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { Tick } from "../../parts/tick.tsx";
import { useFormats } from "../../words/index.tsx";
import { lastDay } from "../registration.ts";
import { usePatronWords } from "../words/index.tsx";
import { BarcodeField } from "./barcode-field.tsx";
import { CONTACT_TYPES, type ContactType } from "./draft.ts";
import { type Editing, TextOf } from "./fields.tsx";
import { dayOfBirth } from "./namesakes.ts";

export function Sheet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="sheet" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function NameSection({ children, ...editing }: Editing & { children: ReactNode }) {
  const words = usePatronWords();
  const { draft, change, problem } = editing;
  return (
    <Sheet title={words.sections.name}>
      <div className="fields">
        <TextOf at="personal.lastName" {...editing} isRequired autoFocus />
        <TextOf at="personal.firstName" {...editing} />
        <TextOf at="personal.middleName" {...editing} />
        <TextOf at="personal.preferredFirstName" {...editing} />
        <Field
          type="date"
          label={words.fields["personal.dateOfBirth"] ?? ""}
          value={dayOfBirth(draft["personal.dateOfBirth"])}
          onChange={(day) => change({ "personal.dateOfBirth": day })}
          error={problem?.field === "personal.dateOfBirth" ? words.refused.birthDate : undefined}
        />
      </div>
      {children}
    </Sheet>
  );
}

export function CardSection(editing: Editing) {
  const words = usePatronWords();
  const { draft, change, problem } = editing;
  return (
    <Sheet title={words.sections.card}>
      <div className="fields">
        <BarcodeField {...editing} />
        <GroupAndTime {...editing} />
        <TextOf at="username" {...editing} />
        <TextOf at="externalSystemId" {...editing} />
        <Choice
          label={words.fields.type ?? ""}
          options={kindsOf(draft.type, words.accounts)}
          value={draft.type ?? null}
          placeholder={words.choose}
          onChange={(type) => change({ type })}
        />
        <Tick value={draft.active} onChange={(active) => change({ active })}>
          {words.fields.active}
        </Tick>
      </div>
      {problem?.field === "patronGroup" && <p className="error">{words.refused.group}</p>}
    </Sheet>
  );
}

/** What other programs make accounts for keeps its kind. */
function kindsOf(type: string | undefined, names: Record<string, string>): { id: string; name: string }[] {
  const known = Object.entries(names).map(([id, name]) => ({ id, name }));
  return type === undefined || type in names ? known : [...known, { id: type, name: type }];
}

/** Whoever joins a group is registered for as long as the group says, from today. */
function GroupAndTime({ draft, change }: Editing) {
  const words = usePatronWords();
  const { timeZone, isoDay, day } = useFormats();
  const groups = useQuery(patronGroups).data ?? [];
  const [proposed, propose] = useState<string>();
  const join = (patronGroup: string) => {
    const last = lastDay(
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

export function ContactSection(editing: Editing) {
  const words = usePatronWords();
  const { draft, change } = editing;
  const wish = draft["personal.preferredContactTypeId"];
  const byMail = wish === CONTACT_TYPES.email;
  const wishes = Object.entries(words.contactTypes) as [ContactType, string][];
  return (
    <Sheet title={words.sections.contact}>
      <div className="fields">
        <Choice
          label={words.fields["personal.preferredContactTypeId"] ?? ""}
          options={wishes.map(([type, name]) => ({ id: CONTACT_TYPES[type], name }))}
          value={(wish as (typeof CONTACT_TYPES)[ContactType] | undefined) ?? null}
          placeholder={words.choose}
          onChange={(type) => change({ "personal.preferredContactTypeId": type })}
          isRequired
        />
        <TextOf
          at="personal.email"
          type="email"
          {...editing}
          isRequired={byMail}
          help={byMail ? words.help.email : undefined}
        />
        <TextOf at="personal.phone" type="tel" {...editing} />
        <TextOf at="personal.mobilePhone" type="tel" {...editing} />
      </div>
    </Sheet>
  );
}

export function MoreSection({ draft, change }: Editing) {
  const words = usePatronWords();
  const all = useQuery(departments).data ?? [];
  const chosen = draft.departments ?? [];
  const [tags, setTags] = useState((draft.tags?.tagList ?? []).join(", "));
  return (
    <Sheet title={words.sections.more}>
      {all.length > 0 && (
        <fieldset className="checks">
          <legend>{words.fields.departments}</legend>
          {all.map(({ id, name }) => (
            <Tick
              key={id}
              value={chosen.includes(id)}
              onChange={(on) => change({ departments: on ? [...chosen, id] : chosen.filter((one) => one !== id) })}
            >
              {name}
            </Tick>
          ))}
        </fieldset>
      )}
      <Field
        label={words.fields.tags ?? ""}
        help={words.help.tags}
        value={tags}
        onChange={(text) => {
          setTags(text);
          change({ tags: { tagList: tagsIn(text) } });
        }}
      />
    </Sheet>
  );
}

/** FOLIO writes tags in small letters. */
function tagsIn(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim().toLowerCase());
  return [...new Set(tags.filter(Boolean))];
}
