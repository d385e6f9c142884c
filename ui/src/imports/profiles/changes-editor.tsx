/** The changes that a mapping profile makes in MARC records, from top to bottom. */

import { useState } from "react";
import type { MarcChange } from "../../api/import-profiles.ts";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { RepeatableFields } from "../../parts/several.tsx";
import { BLANK_LINE, type ChangeLine, changesFromLines, linesFromChanges } from "./changes.ts";
import { useProfileWords } from "./words/index.tsx";

const toOptions = (names: Record<string, string>) => Object.entries(names).map(([id, name]) => ({ id, name }));

interface Props {
  changes: readonly MarcChange[];
  onChange: (changes: MarcChange[]) => void;
}

export function ChangesEditor({ changes, onChange }: Props) {
  const words = useProfileWords().mapping.changes;
  const [lines, setLines] = useState(() => linesFromChanges(changes));
  return (
    <section className="sheet" aria-labelledby="marc-changes">
      <h2 id="marc-changes">{words.title}</h2>
      <p className="help">{words.help}</p>
      <RepeatableFields<ChangeLine>
        legend={words.legend}
        add={words.add}
        parts={lines}
        blank={BLANK_LINE}
        onChange={(next) => {
          setLines(next);
          onChange(changesFromLines(next));
        }}
      >
        {(line, change) => <ChangeLineForm line={line} change={change} />}
      </RepeatableFields>
    </section>
  );
}

function ChangeLineForm({ line, change }: { line: ChangeLine; change: (part: Partial<ChangeLine>) => void }) {
  const all = useProfileWords();
  const words = all.mapping.changes;
  const { ind1, ind2, field } = all.match;
  const text = (name: keyof Omit<ChangeLine, "more" | "action">, label: string, help?: string) => (
    <Field label={label} help={help} value={line[name]} onChange={(value) => change({ [name]: value })} />
  );
  const edit = line.subaction || "INSERT";
  return (
    <div className="fields import-narrow">
      <Choice
        label={words.action}
        options={toOptions(words.actions)}
        value={line.action as string}
        onChange={(action) => change({ action: action as ChangeLine["action"], subaction: "", position: "" })}
      />
      {text("field", field)}
      {text("ind1", ind1)}
      {text("ind2", ind2)}
      {text(
        "subfield",
        words.subfield,
        line.action === "DELETE" || line.action === "MOVE" ? words.subfieldHelp : undefined,
      )}
      {line.action === "ADD" && text("text", words.text)}
      {line.action === "EDIT" && (
        <>
          <Choice
            label={words.edit}
            options={toOptions(words.edits)}
            value={edit}
            onChange={(subaction) => change({ subaction })}
          />
          {edit === "INSERT" && (
            <Choice
              label={words.position}
              options={toOptions(words.positions)}
              value={line.position || "BEFORE_STRING"}
              onChange={(position) => change({ position })}
            />
          )}
          {edit === "REPLACE" ? (
            <>
              {text("find", words.find)}
              {text("replaceWith", words.replaceWith)}
            </>
          ) : (
            text("text", words.text)
          )}
        </>
      )}
      {line.action === "MOVE" && (
        <>
          <Choice
            label={words.edit}
            options={toOptions(words.moves)}
            value={line.subaction || "CREATE_NEW_FIELD"}
            onChange={(subaction) => change({ subaction })}
          />
          {text("toField", words.toField)}
          {text("toInd1", ind1)}
          {text("toInd2", ind2)}
          {text("toSubfield", words.toSubfield)}
        </>
      )}
    </div>
  );
}
