/** On the page of a title: its preceding, succeeding, parent and child titles. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link as To } from "wouter";
import type { Title } from "../../api/inventory.ts";
import { CHOICE_LISTS } from "../../api/inventory-lists.ts";
import { Button } from "../../parts/button.tsx";
import { RELATED_TITLE_FIELDS } from "../editing/title-fields.ts";
import { useLinkedWords } from "../words/linked.tsx";
import { labelOf, useRecordWords } from "../words/records.tsx";
import { titlesById } from "./names.ts";
import { type Link, linkedTitleId, linksIn, type RelatedSpec } from "./relations.ts";

const SHOWN_LINKS = 5;

export function RelatedTitles({ record }: { record: Title }) {
  const own = useLinkedWords();
  const there = RELATED_TITLE_FIELDS.filter(({ at }) => linksIn(record, at).length > 0);
  if (there.length === 0) return null;
  return (
    <section className="related-titles" aria-label={own.related}>
      <dl>
        {there.map((spec) => (
          <RelatedTitleList key={spec.at} spec={spec} links={linksIn(record, spec.at)} />
        ))}
      </dl>
    </section>
  );
}

function RelatedTitleList({ spec, links }: { spec: RelatedSpec; links: readonly Link[] }) {
  const own = useLinkedWords();
  const words = useRecordWords();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? links : links.slice(0, SHOWN_LINKS);
  const titles = useQuery(titlesById(shown.flatMap((link) => linkedTitleId(link, spec) ?? []))).data;
  const types = useQuery(CHOICE_LISTS["/instance-relationship-types"]).data;
  return (
    <div>
      <dt>{labelOf(words, spec.at)}</dt>
      {shown.map((link) => {
        const id = linkedTitleId(link, spec);
        const type = types?.find((one) => one.id === link.instanceRelationshipTypeId)?.name;
        const numbers = link.identifiers?.map(({ value }) => value).join(" · ");
        return (
          <dd key={String(link.id)}>
            {id === undefined ? (
              <>
                {link.title} <small>{[numbers, own.notHere].filter(Boolean).join(" · ")}</small>
              </>
            ) : (
              <>
                <To href={`/inventory/${id}`}>{titles?.get(id)?.title ?? link.title ?? "\u00a0"}</To>{" "}
                <small>{type}</small>
              </>
            )}
          </dd>
        );
      })}
      {shown.length < links.length && (
        <dd>
          <Button kind="quiet" onPress={() => setWhole(true)}>
            {own.showAll(links.length)}
          </Button>
        </dd>
      )}
    </div>
  );
}
