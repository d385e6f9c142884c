/** In the form of a title: the links to preceding, succeeding, parent and child titles. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { identifierTypes } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { useWords } from "../../words/index.tsx";
import { ListChoice } from "../editing/pick.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { labelOf, useRecordWords } from "../words/records.tsx";
import { FindTitle } from "./find-title.tsx";
import { titlesById } from "./names.ts";
import { type Link, linkedTitleId, type RelatedSpec, withNumber } from "./relations.ts";

interface Props {
  spec: RelatedSpec;
  /** The id of the title that the form is about. */
  titleId: string;
  links: readonly Link[];
  onChange: (links: Link[]) => void;
}

/** At first so many links are shown, since a series may have hundreds of parts. */
const SHOWN_LINKS = 20;

export function TitleLinks({ spec, titleId, links, onChange }: Props) {
  const words = useRecordWords();
  const own = useLinkedWords();
  const [isWhole, setWhole] = useState(false);
  const [fresh, setFresh] = useState<string>();
  const label = labelOf(words, spec.at);
  const shown = isWhole ? links : links.filter(({ id }, index) => index < SHOWN_LINKS || id === fresh);
  const others = links.flatMap((link) => linkedTitleId(link, spec) ?? []);
  const add = (link: Link) => {
    const id = crypto.randomUUID();
    setFresh(id);
    onChange([...links, { id, ...link }]);
  };
  return (
    <fieldset className="several links-of">
      <legend>{label}</legend>
      {shown.map((link) => (
        <LinkRow
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
          except={[titleId, ...others]}
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

interface LinkRowProps {
  spec: RelatedSpec;
  label: string;
  link: Link;
  isFresh: boolean;
  onChange: (link: Link) => void;
  onRemove: () => void;
}

function LinkRow({ spec, label, link, isFresh, onChange, onRemove }: LinkRowProps) {
  const common = useWords();
  const words = useRecordWords();
  const other = linkedTitleId(link, spec);
  const found = useQuery(titlesById(other === undefined ? [] : [other])).data?.get(other ?? "");
  const name = found?.title ?? link.title ?? "";
  const type = typeof link.instanceRelationshipTypeId === "string" ? link.instanceRelationshipTypeId : undefined;
  return (
    <div className="one">
      {other === undefined ? (
        <UncataloguedLink link={link} isFresh={isFresh} onChange={onChange} />
      ) : (
        <p className="linked">
          {name || "\u00a0"}{" "}
          <small>
            <bdi>{found?.hrid ?? link.hrid}</bdi>
          </small>
        </p>
      )}
      {spec.isTyped && (
        <ListChoice
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

/** The identifier types for a title that is not in the catalogue. */
const SERIAL_NUMBERS = ["ISSN", "ISBN"];

/** A linked title that is not in the catalogue. */
function UncataloguedLink({ link, isFresh, onChange }: UncataloguedLinkProps) {
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
      {SERIAL_NUMBERS.map((number) => {
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

interface UncataloguedLinkProps {
  link: Link;
  isFresh: boolean;
  onChange: (link: Link) => void;
}
