/** The form of a mapping profile: the values of the fields of created or updated records. */

import { useState } from "react";
import type { MappingProfile, RecordType } from "../../api/import-profiles.ts";
import { Choice } from "../../parts/choice.tsx";
import { ChangesEditor } from "./changes-editor.tsx";
import { findMistake } from "./expression.ts";
import { FORMS } from "./fields.ts";
import { ProfileForm } from "./form.tsx";
import { draftFromFields, fieldsFromDraft, type MapDraft } from "./mapping.ts";
import { ExpressionHelp, MappingFields } from "./mapping-fields.tsx";
import { useValueSources } from "./sources.ts";
import { useProfileWords } from "./words/index.tsx";

const INCOMING_TYPES: readonly RecordType[] = [
  "MARC_BIBLIOGRAPHIC",
  "MARC_HOLDINGS",
  "MARC_AUTHORITY",
  "EDIFACT_INVOICE",
];
const EXISTING_TYPES: readonly RecordType[] = [
  "INSTANCE",
  "HOLDINGS",
  "ITEM",
  "AUTHORITY",
  "MARC_BIBLIOGRAPHIC",
  "MARC_HOLDINGS",
  "MARC_AUTHORITY",
  "ORDER",
  "INVOICE",
];
const NO_FORM = { root: "", sections: [] };
const EMPTY_FIELDS: MapDraft = { texts: {}, flags: {}, lists: {} };
const detailsName = (type: RecordType) => FORMS[type]?.root ?? type.toLowerCase();

export function MappingForm({ stored }: { stored: MappingProfile }) {
  const words = useProfileWords();
  const [draft, setDraft] = useState(stored);
  const [isChanged, setChanged] = useState(false);
  const { existingRecordType: existing, mappingDetails: details } = draft;
  const form = FORMS[existing] ?? NO_FORM;
  const [fields, setFields] = useState<MapDraft>(() => draftFromFields(details?.mappingFields ?? [], form));
  const sources = useValueSources(form.sections);
  const change = (part: Partial<MappingProfile>) => {
    setChanged(true);
    setDraft((now) => ({ ...now, ...part }));
  };
  const changeDetails = (part: Partial<NonNullable<MappingProfile["mappingDetails"]>>) =>
    change({ mappingDetails: { name: detailsName(existing), recordType: existing, ...details, ...part } });
  const isMarc = existing.startsWith("MARC_");
  const option = details?.marcMappingOption ?? "UPDATE";
  const options = (types: readonly RecordType[], now: RecordType) =>
    (types.includes(now) ? types : [...types, now]).map((id) => ({ id, name: words.recordTypes[id] ?? id }));
  return (
    <ProfileForm
      slug="mappings"
      stored={stored}
      draft={draft}
      change={change}
      isChanged={isChanged}
      check={() => findMistakes(fields, (says) => says(words))}
      profileToSave={() => ({
        profile: {
          ...draft,
          mappingDetails: {
            ...details,
            name: detailsName(existing),
            recordType: existing,
            mappingFields: fieldsFromDraft(fields, details?.mappingFields ?? [], form, sources.accepted),
            ...(isMarc && { marcMappingOption: option }),
          },
        },
      })}
      beside={form.sections.length > 0 ? <ExpressionHelp /> : undefined}
    >
      {(errorAt) => (
        <>
          <section className="sheet" aria-label={words.mapping.existing}>
            <div className="fields">
              <Choice
                label={words.mapping.incoming}
                options={options(INCOMING_TYPES, draft.incomingRecordType)}
                value={draft.incomingRecordType}
                onChange={(incomingRecordType) => change({ incomingRecordType })}
                error={errorAt("incomingRecordType")}
              />
              <Choice
                label={words.mapping.existing}
                options={options(EXISTING_TYPES, existing)}
                value={existing}
                onChange={(type) => {
                  if (type === existing) return;
                  setFields(EMPTY_FIELDS);
                  // Details for another record type do not fit.
                  change({
                    existingRecordType: type,
                    mappingDetails: {
                      name: detailsName(type),
                      recordType: type,
                      mappingFields: [],
                      marcMappingDetails: [],
                    },
                  });
                }}
                help={existing === "ORDER" || existing === "INVOICE" ? words.notRun : undefined}
                error={errorAt("existingRecordType") ?? errorAt("mapping")}
              />
              {isMarc && (
                <Choice
                  className="wide"
                  label={words.mapping.option}
                  options={(["UPDATE", "MODIFY"] as const).map((id) => ({ id, name: words.mapping.options[id] }))}
                  value={option}
                  onChange={(marcMappingOption) => changeDetails({ marcMappingOption })}
                />
              )}
            </div>
            {existing === "INSTANCE" && <p className="help">{words.mapping.fromMarc}</p>}
            {form.sections.length === 0 && !isMarc && <p className="help">{words.mapping.noFields}</p>}
            {(existing === "HOLDINGS" || existing === "ITEM") && <p className="help">{words.mapping.several}</p>}
          </section>
          <MappingFields
            sections={form.sections}
            draft={fields}
            onChange={(next) => {
              change({});
              setFields(next);
            }}
            names={sources.names}
            errorAt={errorAt}
          />
          {isMarc && option === "MODIFY" && (
            <ChangesEditor
              changes={details?.marcMappingDetails ?? []}
              onChange={(marcMappingDetails) => changeDetails({ marcMappingDetails })}
            />
          )}
        </>
      )}
    </ProfileForm>
  );
}

type TextFromWords = (says: (words: ReturnType<typeof useProfileWords>) => string) => string;

/** Mistakes by field; for an entry of a list, the key has the list, the index of the entry and the part. */
function findMistakes({ texts, lists }: MapDraft, say: TextFromWords): Record<string, string> {
  const all = [
    ...Object.entries(texts),
    ...Object.entries(lists).flatMap(([at, { action, lines }]) =>
      action === "DELETE_EXISTING"
        ? []
        : lines.flatMap((line, index) =>
            Object.entries(line).map(([part, value]): [string, string] => [`${at}.${index}.${part}`, value]),
          ),
    ),
  ];
  return Object.fromEntries(
    all.flatMap(([place, value]) => {
      // The choice of a yes/no field is not an expression.
      const mistake = /^(?:IGNORE|ALL_TRUE|ALL_FALSE|AS_IS)$/.test(value) ? undefined : findMistake(value);
      if (mistake === undefined) return [];
      const text = say(({ mapping: { mistakes } }) =>
        mistake.is === "word" ? mistakes.word(mistake.word) : mistakes[mistake.is],
      );
      return [[place, text]];
    }),
  );
}
