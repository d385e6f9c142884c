/** The fields of a mapping profile: expressions, lists of them, and yes/no fields with four choices. */

import { labelOf, useRecordWords } from "../../inventory/words/records.tsx";
import type { RecordWords } from "../../inventory/words/records-en.ts";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { RepeatableFields } from "../../parts/several.tsx";
import { unknownName } from "./expression.ts";
import type { MapSection, MapSpec, ValueSource } from "./fields.ts";
import { FLAG_ACTIONS, type MapDraft, type MapLine, REPEATABLE_ACTIONS } from "./mapping.ts";
import { useProfileWords } from "./words/index.tsx";

interface Props {
  draft: MapDraft;
  onChange: (draft: MapDraft) => void;
  names: (from: ValueSource | undefined) => readonly string[];
  errorAt: (place: string) => string | undefined;
}

export function MappingFields({ sections, ...props }: Props & { sections: readonly MapSection[] }) {
  const records = useRecordWords();
  return sections.map(({ name, fields }) => (
    <section className="sheet" key={name} aria-label={records.sections[name]}>
      <h2>{records.sections[name]}</h2>
      <div className="fields">
        {fields.map((spec) => (
          <FieldControl key={spec.at} spec={spec} {...props} />
        ))}
      </div>
    </section>
  ));
}

/** Labels of fields; `materialType.id` has the label of `materialType`. */
function useFieldLabel() {
  const records = useRecordWords();
  const { names } = useProfileWords().mapping;
  return (at: string, list?: string) => names[at] ?? labelOf(records as RecordWords, at.replace(/\.id$/, ""), list);
}

function FieldControl({ spec, draft, onChange, names, errorAt }: Props & { spec: MapSpec }) {
  const label = useFieldLabel();
  if (spec.is === "flag") {
    return (
      <FlagChoice
        label={label(spec.at)}
        value={draft.flags[spec.at]}
        onChange={(value) => onChange({ ...draft, flags: { ...draft.flags, [spec.at]: value } })}
      />
    );
  }
  if (spec.is === "list") return <ListControl {...{ spec, draft, onChange, names, errorAt }} />;
  return (
    <ExpressionField
      label={label(spec.at)}
      value={draft.texts[spec.at] ?? ""}
      onChange={(value) => onChange({ ...draft, texts: { ...draft.texts, [spec.at]: value } })}
      names={names(spec.from)}
      error={errorAt(spec.at)}
    />
  );
}

function ListControl({ spec, draft, onChange, names, errorAt }: Props & { spec: MapSpec & { is: "list" } }) {
  const words = useProfileWords().mapping;
  const records = useRecordWords();
  const label = useFieldLabel();
  const list = draft.lists[spec.at] ?? { action: "", lines: [] };
  const set = (part: Partial<typeof list>) =>
    onChange({ ...draft, lists: { ...draft.lists, [spec.at]: { ...list, ...part } } });
  const legend = label(spec.at);
  const blank: MapLine = Object.fromEntries(spec.parts.map(({ at }) => [at, ""]));
  return (
    <div className="wide map-list">
      {list.action !== "DELETE_EXISTING" && (
        <RepeatableFields<MapLine & { place?: string }>
          legend={legend}
          add={records.adds[spec.at] ?? `${words.addLine}: ${legend}`}
          parts={list.lines}
          blank={blank}
          onChange={(lines) => set({ lines })}
        >
          {(line, change) => {
            const index = list.lines.indexOf(line);
            return (
              <div className="fields">
                {spec.parts.map((part) => {
                  const says = spec.areTexts ? legend : label(part.at, spec.at);
                  const value = line[part.at] ?? "";
                  const to = (value: string) => change({ [part.at]: value });
                  if (part.is === "flag") return <FlagChoice key={part.at} label={says} value={value} onChange={to} />;
                  return (
                    <ExpressionField
                      key={part.at}
                      label={says}
                      value={value}
                      onChange={to}
                      names={names(part.from)}
                      error={errorAt(`${spec.at}.${index}.${part.at}`)}
                    />
                  );
                })}
              </div>
            );
          }}
        </RepeatableFields>
      )}
      {(list.lines.length > 0 || list.action !== "") && (
        <Choice
          label={`${words.action}: ${legend}`}
          options={REPEATABLE_ACTIONS.map((id) => ({ id: id as string, name: words.repeats[id] ?? id }))}
          value={list.action || "EXTEND_EXISTING"}
          onChange={(action) => set({ action })}
        />
      )}
      {list.lines.length === 0 && list.action === "" && (
        <button type="button" className="button quiet" onClick={() => set({ action: "DELETE_EXISTING" })}>
          {words.action} {words.repeats.DELETE_EXISTING}: {legend}
        </button>
      )}
    </div>
  );
}

interface FlagProps {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
}

function FlagChoice({ label, value, onChange }: FlagProps) {
  const { flags } = useProfileWords().mapping;
  return (
    <Choice
      label={label}
      options={FLAG_ACTIONS.map((id) => ({ id: id as string, name: flags[id] ?? id }))}
      value={value || "IGNORE"}
      onChange={onChange}
    />
  );
}

interface ExpressionProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  names: readonly string[];
  error: string | undefined;
}

function ExpressionField({ label, value, onChange, names, error }: ExpressionProps) {
  const words = useProfileWords().mapping;
  const unknown = names.length > 0 ? unknownName(value, names) : undefined;
  return (
    <div className="expression">
      <Field
        label={label}
        value={value}
        onChange={onChange}
        error={error}
        help={unknown === undefined ? undefined : words.unlisted(unknown)}
        className="code-field"
      />
      {names.length > 0 && (
        <Choice
          className="insert"
          label={words.insert(label)}
          hideLabel
          placeholder={words.insertShort}
          options={names.map((name) => ({ id: name, name }))}
          value={null}
          onChange={(name) => onChange(appendValue(value, name))}
        />
      )}
    </div>
  );
}

/** Adds a value to an expression as an alternative (`; else`), as the field takes one value. */
const appendValue = (value: string, name: string) =>
  value.trim() === "" ? `"${name}"` : `${value.trim().replace(/;$/, "")}; else "${name}"`;

/** How expressions are written, beside the form. */
export function ExpressionHelp() {
  const words = useProfileWords().mapping;
  return (
    <aside className="sheet expression-help" aria-labelledby="expression-help">
      <h2 id="expression-help">{words.helpTitle}</h2>
      <dl>
        {words.help.map(([code, says]) => (
          <div key={code}>
            <dt>
              <code dir="ltr">{code}</code>
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
