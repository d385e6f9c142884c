/** Prints labels of items from a template, which can be changed in the dialog. */

import { useState } from "react";
import type { Item } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { usePrint } from "../../parts/paper.tsx";
import { CheckboxField } from "../../parts/tick.tsx";
import { useRecordWords } from "../words/records.tsx";
import { ItemLabel, ItemLabels } from "./label.tsx";
import { clampSize, DEFAULT_TEMPLATES, KINDS, type LabelKind, type Template, TOKENS, templates } from "./template.ts";
import { TooSmallWarning } from "./too-small.tsx";

export function PrintLabels({ items }: { items: readonly Item[] }) {
  const own = useRecordWords().labels;
  const [paper, print] = usePrint();
  return (
    <>
      <DialogOpener>
        <Button>{own.button}</Button>
        <LabelDialog items={items} print={(template) => print(<ItemLabels items={items} template={template} />)} />
      </DialogOpener>
      {paper}
    </>
  );
}

/** A template whose sizes are texts: while a number is being typed, it may not be a number. */
type TypedTemplate = Omit<Template, "width" | "height" | "size"> & Record<"width" | "height" | "size", string>;

const toTypedTemplate = ({ width, height, size, ...rest }: Template): TypedTemplate => ({
  ...rest,
  width: String(width),
  height: String(height),
  size: String(size),
});

const toTemplate = ({ width, height, size, ...rest }: TypedTemplate): Template => ({
  ...rest,
  width: clampSize(Number(width), 10, 210),
  height: clampSize(Number(height), 5, 297),
  size: clampSize(Number(size), 5, 48),
});

function LabelDialog({ items, print }: { items: readonly Item[]; print: (template: Template) => void }) {
  const own = useRecordWords().labels;
  const kept = templates.use();
  const [kind, setKind] = useState(kept.kind);
  const [draft, setDraft] = useState(toTypedTemplate(kept[kind]));
  const change = (part: Partial<TypedTemplate>) => setDraft((now) => ({ ...now, ...part }));
  const choose = (chosen: LabelKind) => {
    templates.set((now) => ({ ...now, [kind]: toTemplate(draft) }));
    setKind(chosen);
    setDraft(toTypedTemplate(templates.get()[chosen]));
  };
  const [first] = items;
  const number = (name: "width" | "height" | "size", label: string) => (
    <Field
      label={label}
      value={draft[name]}
      onChange={(text) => change({ [name]: text.replace(",", ".") })}
      inputMode="decimal"
      pattern="\d+([.,]\d+)?"
      isRequired
    />
  );
  return (
    <FormDialog
      title={own.title(items.length)}
      submit={own.print}
      onSubmit={async () => {
        const template = toTemplate(draft);
        templates.set((now) => ({ ...now, kind, [kind]: template }));
        print(template);
      }}
    >
      <Choice
        label={own.kind}
        options={KINDS.map((id) => ({ id, name: own.kinds[id] }))}
        value={kind}
        onChange={choose}
      />
      <div className="label-sizes">
        {number("width", own.width)}
        {number("height", own.height)}
        {number("size", own.size)}
      </div>
      <Field
        label={own.text}
        help={own.tokens(TOKENS.map((token) => `{{${token}}}`).join(" "))}
        value={draft.text}
        onChange={(text) => change({ text })}
        lines={5}
      />
      <CheckboxField value={draft.onSheet} onChange={(onSheet) => change({ onSheet })}>
        {own.onSheet}
      </CheckboxField>
      {first && (
        <section className="label-preview" aria-label={own.preview}>
          <ItemLabel item={first} template={toTemplate(draft)} />
        </section>
      )}
      <TooSmallWarning items={items} template={toTemplate(draft)} />
      <Button kind="quiet" onPress={() => setDraft(toTypedTemplate(DEFAULT_TEMPLATES[kind]))}>
        {own.usual}
      </Button>
    </FormDialog>
  );
}
