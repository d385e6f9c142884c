/** A match profile: which value of the incoming record is compared with which of the records of the library. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { MatchDetail, MatchExpression, MatchProfile } from "../../api/import-profiles.ts";
import { identifierTypes } from "../../api/inventory.ts";
import { labelOf, useRecordWords } from "../../inventory/words/records.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { ProfileForm } from "./form.tsx";
import {
  blankDetail,
  EXISTING_TYPES,
  INCOMING_TYPES,
  isMarc,
  type MarcLabel,
  MEMBERS,
  missingPlaces,
  valueAt,
  withMarcValue,
  withMember,
  withoutEmptyQualifier,
  withTypes,
} from "./match.ts";
import { useProfileWords } from "./words/index.tsx";

type ErrorAt = (place: string) => string | undefined;

export function MatchForm({ stored }: { stored: MatchProfile }) {
  const words = useProfileWords();
  const [draft, setDraft] = useState(stored);
  const [isChanged, setChanged] = useState(false);
  const set = (next: MatchProfile) => {
    setChanged(true);
    setDraft(next);
  };
  const { incomingRecordType: incoming, existingRecordType: existing } = draft;
  const detail = draft.matchDetails?.[0] ?? blankDetail(incoming, existing);
  const others = draft.matchDetails?.slice(1) ?? [];
  const change = (part: Partial<MatchDetail>) => set({ ...draft, matchDetails: [{ ...detail, ...part }, ...others] });
  const options = (types: readonly MatchProfile["incomingRecordType"][], now: MatchProfile["incomingRecordType"]) =>
    (types.includes(now) ? types : [...types, now]).map((id) => ({ id, name: words.recordTypes[id] ?? id }));
  return (
    <ProfileForm
      slug="matches"
      stored={stored}
      draft={draft}
      change={(part) => set({ ...draft, ...part })}
      isChanged={isChanged}
      check={() => Object.fromEntries(missingPlaces(detail).map((place) => [place, words.needed]))}
      profileToSave={() => ({
        profile: {
          ...draft,
          matchDetails: [
            {
              ...detail,
              incomingMatchExpression: withoutEmptyQualifier(detail.incomingMatchExpression),
              existingMatchExpression: withoutEmptyQualifier(detail.existingMatchExpression),
            },
            ...others,
          ],
        },
      })}
    >
      {(errorAt) => (
        <>
          <section className="sheet" aria-labelledby="match-incoming">
            <h2 id="match-incoming">{words.match.what}</h2>
            <div className="fields">
              <Choice
                label={words.match.incomingRecord}
                options={options(INCOMING_TYPES, incoming)}
                value={incoming}
                onChange={(type) => set(withTypes(draft, type, existing))}
                error={errorAt("incomingRecordType")}
              />
            </div>
            {incoming === "STATIC_VALUE" ? (
              <FixedValueFields
                expression={detail.incomingMatchExpression}
                onChange={(incomingMatchExpression) => change({ incomingMatchExpression })}
                errorAt={errorAt}
              />
            ) : (
              <>
                <MarcFields
                  side="incoming"
                  expression={detail.incomingMatchExpression}
                  onChange={(incomingMatchExpression) => change({ incomingMatchExpression })}
                  errorAt={errorAt}
                />
                <QualifierFields
                  expression={detail.incomingMatchExpression}
                  onChange={(incomingMatchExpression) => change({ incomingMatchExpression })}
                />
              </>
            )}
          </section>
          <section className="sheet" aria-labelledby="match-existing">
            <h2 id="match-existing">{words.match.existing}</h2>
            <div className="fields">
              <Choice
                label={words.match.existingRecord}
                options={options(EXISTING_TYPES, existing)}
                value={existing}
                onChange={(type) => set(withTypes(draft, incoming, type))}
                error={errorAt("existingRecordType")}
              />
            </div>
            {isMarc(existing) ? (
              <MarcFields
                side="existing"
                expression={detail.existingMatchExpression}
                onChange={(existingMatchExpression) => change({ existingMatchExpression })}
                errorAt={errorAt}
              />
            ) : (
              <MemberFields
                type={existing}
                expression={detail.existingMatchExpression}
                onChange={(existingMatchExpression) => change({ existingMatchExpression })}
                errorAt={errorAt}
              />
            )}
            <QualifierFields
              expression={detail.existingMatchExpression}
              onChange={(existingMatchExpression) => change({ existingMatchExpression })}
            />
            <div className="fields">
              <Choice
                className="wide"
                label={words.match.criterion}
                options={Object.entries(words.match.criteria).map(([id, name]) => ({ id, name }))}
                value={detail.matchCriterion}
                onChange={(matchCriterion) => change({ matchCriterion })}
                error={errorAt("matchCriterion")}
              />
            </div>
          </section>
        </>
      )}
    </ProfileForm>
  );
}

interface PartProps {
  expression: MatchExpression;
  onChange: (expression: MatchExpression) => void;
  errorAt: ErrorAt;
}

function MarcFields({ side, expression, onChange, errorAt }: PartProps & { side: "incoming" | "existing" }) {
  const words = useProfileWords().match;
  const field = (label: MarcLabel, says: string, help?: string) => (
    <Field
      label={says}
      help={help}
      value={valueAt(expression, label)}
      onChange={(value) => onChange(withMarcValue(expression, label, value))}
      error={errorAt(`${side}.${label}`)}
      maxLength={label === "field" ? 3 : 1}
      autoComplete="off"
    />
  );
  return (
    <div className="fields import-narrow">
      {field("field", words.field, words.fieldHelp)}
      {field("indicator1", words.ind1, words.indHelp)}
      {field("indicator2", words.ind2)}
      {field("recordSubfield", words.subfield)}
    </div>
  );
}

function FixedValueFields({ expression, onChange, errorAt }: PartProps) {
  const words = useProfileWords().match;
  const fixed = expression.staticValueDetails ?? {};
  const kind = fixed.staticValueType ?? "TEXT";
  const set = (part: Partial<typeof fixed>) => onChange({ ...expression, staticValueDetails: { ...fixed, ...part } });
  const day = (name: "exactDate" | "fromDate" | "toDate", label: string) => (
    <Field
      type="date"
      label={label}
      value={(fixed[name] ?? "").slice(0, 10)}
      onChange={(value) => set({ [name]: value })}
      error={errorAt(`incoming.${name}`)}
    />
  );
  return (
    <div className="fields">
      <Choice
        label={words.fixed}
        options={(Object.keys(words.fixedKinds) as (keyof typeof words.fixedKinds)[]).map((id) => ({
          id,
          name: words.fixedKinds[id],
        }))}
        value={kind}
        onChange={(staticValueType) => onChange({ ...expression, staticValueDetails: { staticValueType } })}
      />
      {kind === "TEXT" && (
        <Field
          label={words.value}
          value={fixed.text ?? ""}
          onChange={(text) => set({ text })}
          error={errorAt("incoming.text")}
        />
      )}
      {kind === "NUMBER" && (
        <Field
          label={words.value}
          inputMode="numeric"
          value={fixed.number ?? ""}
          onChange={(number) => set({ number })}
          error={errorAt("incoming.number")}
        />
      )}
      {kind === "EXACT_DATE" && day("exactDate", words.day)}
      {kind === "DATE_RANGE" && day("fromDate", words.fromDay)}
      {kind === "DATE_RANGE" && day("toDate", words.toDay)}
    </div>
  );
}

function MemberFields({
  type,
  expression,
  onChange,
  errorAt,
}: PartProps & { type: MatchProfile["existingRecordType"] }) {
  const words = useProfileWords().match;
  const records = useRecordWords();
  const types = useQuery(identifierTypes).data ?? [];
  const known = MEMBERS[type] ?? [];
  const path = valueAt(expression, "field");
  const own: Record<string, string> = {
    id: words.id,
    hrid: words.hrid,
    identifier: words.identifier,
    effectiveLocation: words.effectiveLocation,
  };
  const options = known.map((member) => ({
    id: member.path,
    name: own[member.labelKey] ?? labelOf(records, member.labelKey),
  }));
  const ofType = known.find((member) => member.path === path)?.type;
  return (
    <div className="fields">
      <Choice
        label={words.member}
        options={options.some(({ id }) => id === path) ? options : [...options, { id: path, name: words.other(path) }]}
        value={path}
        onChange={(path) => onChange(withMember(expression, type, path))}
        error={errorAt("existing.field")}
      />
      {ofType && (
        <Choice
          label={words.only}
          options={types}
          value={valueAt(expression, ofType) || null}
          onChange={(id) => {
            const fields = (expression.fields ?? []).map((field) =>
              field.label === ofType ? { ...field, value: id } : field,
            );
            onChange({ ...expression, fields });
          }}
          error={errorAt("existing.type")}
        />
      )}
    </div>
  );
}

const ANY = "any";

function QualifierFields({ expression, onChange }: Omit<PartProps, "errorAt">) {
  const words = useProfileWords().match;
  const { qualifier = {} } = expression;
  const set = (part: typeof qualifier) => onChange({ ...expression, qualifier: { ...qualifier, ...part } });
  const options = (names: Record<string, string>) => Object.entries(names).map(([id, name]) => ({ id, name }));
  return (
    <div className="fields">
      <Choice
        label={words.part}
        options={options(words.parts)}
        value={qualifier.comparisonPart || ANY}
        onChange={(part) => set({ comparisonPart: part === ANY ? "" : part })}
      />
      <Choice
        label={words.qualifier}
        options={options(words.qualifiers)}
        value={qualifier.qualifierType || ANY}
        onChange={(type) => set(type === ANY ? { qualifierType: "", qualifierValue: "" } : { qualifierType: type })}
      />
      {qualifier.qualifierType && (
        <Field
          label={words.qualifierValue}
          value={qualifier.qualifierValue ?? ""}
          onChange={(qualifierValue) => set({ qualifierValue })}
        />
      )}
    </div>
  );
}
