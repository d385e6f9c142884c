/** On the page of an item: which titles the volume holds, and how they get into it and out of it. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { refusing } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Opens } from "../../parts/opens.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useShelvesOf } from "../copies/move.tsx";
import { type FoundTitle, TitleFinder } from "../copies/title-finder.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import { MAY_BIND, type Part, partsOf, rebind } from "./volume.ts";

export function BoundWith({ item }: { item: Item }) {
  const own = useLinkedWords().boundWith;
  const may = useMay();
  const parts = partsOf(item);
  if (parts.length === 0) return null;
  return (
    <section>
      <h2>{own.title}</h2>
      <p className="help">{own.help}</p>
      <ul className="rows">
        {parts.map((part) => (
          <li key={part.holdingsId} className="row">
            <div className="what">
              <Link href={`/inventory/${part.instanceId}`}>{part.title}</Link>
              <small>
                {[part.hrid, part.holdingsId === item.holdingsRecordId && own.own].filter(Boolean).join(" · ")}
              </small>
            </div>
            {may(...MAY_BIND) && part.holdingsId !== item.holdingsRecordId && (
              <div className="actions">
                <Opens>
                  <Button kind="quiet" aria-label={`${own.unbind}: ${part.title}`}>
                    {own.unbind}
                  </Button>
                  <Unbind item={item} part={part} />
                </Opens>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function useRebound() {
  const client = useQueryClient();
  return () => Promise.all(["title", "item"].map((key) => client.invalidateQueries({ queryKey: [key] })));
}

function Unbind({ item, part }: { item: Item; part: Part }) {
  const own = useLinkedWords().boundWith;
  const rebound = useRebound();
  return (
    <FormDialog
      title={own.unbindTitle(part.title)}
      submit={own.unbind}
      onSubmit={async () => {
        await rebind(item.id ?? "", (holdings) => holdings.filter((id) => id !== part.holdingsId));
        announce(own.unbound(part.title));
        await rebound();
      }}
    >
      <p>{own.unbindHelp}</p>
    </FormDialog>
  );
}

export function Bind({ item, instanceId, onClose }: { item: Item; instanceId: string; onClose: () => void }) {
  const own = useLinkedWords().boundWith;
  const words = useRecordWords().move;
  const rebound = useRebound();
  const [title, setTitle] = useState<FoundTitle>();
  const [shelf, setShelf] = useState<string>();
  const shelves = useShelvesOf(title?.id);
  // Of one there is nothing to choose.
  const chosen = shelves.find(({ id }) => id === shelf)?.id ?? (shelves.length === 1 ? shelves[0]?.id : undefined);
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={own.bind}
      submit={own.submit}
      onSubmit={async () => {
        if (chosen === undefined) throw refusing(422, words.whereTo);
        await rebind(item.id ?? "", (holdings) => {
          if (holdings.includes(chosen)) throw refusing(422, own.alreadyIn);
          return [...holdings, chosen];
        });
        announce(own.bound(title?.title ?? ""));
        await rebound();
      }}
      onDone={onClose}
    >
      <TitleFinder label={own.toTitle} except={[instanceId]} onChange={setTitle} />
      {title && shelves.length > 0 && (
        <Choice
          label={words.itsHoldings}
          options={shelves}
          value={chosen ?? null}
          onChange={setShelf}
          placeholder={words.choose}
          isRequired
        />
      )}
      {title && shelves.length === 0 && <p className="help">{words.noHoldings}</p>}
    </FormDialog>
  );
}
