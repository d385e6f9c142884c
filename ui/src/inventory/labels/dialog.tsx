/** Prints labels of items from a template, which can be changed on the way. */

import { useState } from "react";
import type { Item } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Opens } from "../../parts/opens.tsx";
import { usePrint } from "../../parts/paper.tsx";
import { Tick } from "../../parts/tick.tsx";
import { useRecordWords } from "../words/records.tsx";
import { LabelOf, Labels } from "./label.tsx";
import { inRange, KINDS, type LabelKind, type Template, TOKENS, templates, USUAL } from "./template.ts";
import { TooSmall } from "./too-small.tsx";

export function PrintLabels({ items }: { items: readonly Item[] }) {
  const own = useRecordWords().labels;
  const [paper, print] = usePrint();
  return (
    <>
      <Opens>
        <Button>{own.button}</Button>
        <LabelDialog items={items} print={(template) => print(<Labels items={items} template={template} />)} />
      </Opens>
      {paper}
    </>
  );
}

/** Sizes as they are typed: a number that is being written may be none for a moment. */
type Typed = Omit<Template, "width" | "height" | "size"> & Record<"width" | "height" | "size", string>;

const typed = ({ width, height, size, ...rest }: Template): Typed => ({
  ...rest,
  width: String(width),
  height: String(height),
  size: String(size),
});

const meant = ({ width, height, size, ...rest }: Typed): Template => ({
  ...rest,
  width: inRange(Number(width), 10, 210),
  height: inRange(Number(height), 5, 297),
  size: inRange(Number(size), 5, 48),
});

function LabelDialog({ items, print }: { items: readonly Item[]; print: (template: Template) => void }) {
  const own = useRecordWords().labels;
  const kept = templates.use();
  const [kind, setKind] = useState(kept.kind);
  const [draft, setDraft] = useState(typed(kept[kind]));
  const change = (part: Partial<Typed>) => setDraft((now) => ({ ...now, ...part }));
  const choose = (chosen: LabelKind) => {
    templates.set((now) => ({ ...now, [kind]: meant(draft) }));
    setKind(chosen);
    setDraft(typed(templates.get()[chosen]));
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
        const template = meant(draft);
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
      <Tick value={draft.onSheet} onChange={(onSheet) => change({ onSheet })}>
        {own.onSheet}
      </Tick>
      {first && (
        <section className="label-preview" aria-label={own.preview}>
          <LabelOf item={first} template={meant(draft)} />
        </section>
      )}
      <TooSmall items={items} template={meant(draft)} />
      <Button kind="quiet" onPress={() => setDraft(typed(USUAL[kind]))}>
        {own.usual}
      </Button>
    </FormDialog>
  );
}
