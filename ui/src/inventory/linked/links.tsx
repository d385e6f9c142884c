/** In the form of a title: the titles before and after it, above and below it. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { identifierTypes } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { useWords } from "../../words/index.tsx";
import { Pick } from "../editing/pick.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { labelOf, useRecordWords } from "../words/records.tsx";
import { FindTitle } from "./find-title.tsx";
import { titlesById } from "./names.ts";
import { type Link, otherOf, type RelatedSpec, withNumber } from "./relations.ts";

interface Props {
  spec: RelatedSpec;
  /** The id of the title that the form is about. */
  of: string;
  links: readonly Link[];
  onChange: (links: Link[]) => void;
}

/** More are shown when somebody asks: a series may have hundreds of parts. */
const FEW = 20;

export function Links({ spec, of, links, onChange }: Props) {
  const words = useRecordWords();
  const own = useLinkedWords();
  const [isWhole, setWhole] = useState(false);
  const [fresh, setFresh] = useState<string>();
  const label = labelOf(words, spec.at);
  const shown = isWhole ? links : links.filter(({ id }, index) => index < FEW || id === fresh);
  const others = links.flatMap((link) => otherOf(link, spec) ?? []);
  const add = (link: Link) => {
    const id = crypto.randomUUID();
    setFresh(id);
    onChange([...links, { id, ...link }]);
  };
  return (
    <fieldset className="several links-of">
      <legend>{label}</legend>
      {shown.map((link) => (
        <OneLink
          key={String(link.id)}
          spec={spec}
          label={label}
          link={link}
          isFresh={link.id === fresh}
          onChange={(changed) => onChange(links.map((one) => (one === link ? changed : one)))}
          onRemove={() => onChange(links.filter((one) => one !== link))}
        />
      ))}
      {shown.length < links.length && (
        <Button kind="quiet" onPress={() => setWhole(true)}>
          {own.showAll(links.length)}
        </Button>
      )}
      <div className="buttons">
        <FindTitle
          label={own.add[spec.at] ?? words.more}
          except={[of, ...others]}
          isTyped={spec.isTyped === true}
          onFound={(title, type) =>
            add({ [spec.other]: title.id, ...(type !== undefined && { instanceRelationshipTypeId: type }) })
          }
        />
        {!spec.isTyped && <Button onPress={() => add({ title: "" })}>{own.addOther[spec.at]}</Button>}
      </div>
    </fieldset>
  );
}

interface OneProps {
  spec: RelatedSpec;
  label: string;
  link: Link;
  isFresh: boolean;
  onChange: (link: Link) => void;
  onRemove: () => void;
}

function OneLink({ spec, label, link, isFresh, onChange, onRemove }: OneProps) {
  const common = useWords();
  const words = useRecordWords();
  const other = otherOf(link, spec);
  const found = useQuery(titlesById(other === undefined ? [] : [other])).data?.get(other ?? "");
  const name = found?.title ?? link.title ?? "";
  const type = typeof link.instanceRelationshipTypeId === "string" ? link.instanceRelationshipTypeId : undefined;
  return (
    <div className="one">
      {other === undefined ? (
        <NotHere link={link} isFresh={isFresh} onChange={onChange} />
      ) : (
        <p className="linked">
          {name || "\u00a0"}{" "}
          <small>
            <bdi>{found?.hrid ?? link.hrid}</bdi>
          </small>
        </p>
      )}
      {spec.isTyped && (
        <Pick
          label={labelOf(words, "instanceRelationshipTypeId")}
          from="/instance-relationship-types"
          value={type}
          onChange={(id) => onChange({ ...link, instanceRelationshipTypeId: id })}
          isRequired
        />
      )}
      <Button kind="quiet" aria-label={`${common.remove}: ${label}, ${name}`} onPress={onRemove}>
        {common.remove}
      </Button>
    </div>
  );
}

/** The numbers by which a serial is known elsewhere. */
const NUMBERS = ["ISSN", "ISBN"];

/** A title that the catalogue does not have. */
function NotHere({ link, isFresh, onChange }: NotHereProps) {
  const own = useLinkedWords();
  const types = useQuery(identifierTypes).data ?? [];
  return (
    <>
      <Field
        label={own.title}
        className="roomy"
        value={link.title ?? ""}
        onChange={(title) => onChange({ ...link, title })}
        isRequired
        autoFocus={isFresh}
      />
      {NUMBERS.map((number) => {
        const type = types.find(({ name }) => name === number)?.id;
        if (type === undefined) return null;
        const said = link.identifiers?.find(({ identifierTypeId }) => identifierTypeId === type)?.value;
        return (
          <Field
            key={number}
            label={number}
            value={said ?? ""}
            onChange={(text) => onChange(withNumber(link, type, text))}
          />
        );
      })}
    </>
  );
}

interface NotHereProps {
  link: Link;
  isFresh: boolean;
  onChange: (link: Link) => void;
}
