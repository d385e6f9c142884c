/** On the page of an item: the titles that are bound in the volume, and how to add or remove one. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { createRefusal } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useHoldingsChoices } from "../copies/move.tsx";
import { type FoundTitle, TitleFinder } from "../copies/title-finder.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import { BIND_PERMISSIONS, type BoundTitle, boundTitles, changeBoundTitles } from "./volume.ts";

export function BoundWith({ item }: { item: Item }) {
  const own = useLinkedWords().boundWith;
  const may = useMay();
  const parts = boundTitles(item);
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
            {may(...BIND_PERMISSIONS) && part.holdingsId !== item.holdingsRecordId && (
              <div className="actions">
                <DialogOpener>
                  <Button kind="quiet" aria-label={`${own.unbind}: ${part.title}`}>
                    {own.unbind}
                  </Button>
                  <UnbindDialog item={item} part={part} />
                </DialogOpener>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function useBindingRefresh() {
  const client = useQueryClient();
  return () => Promise.all(["title", "item"].map((key) => client.invalidateQueries({ queryKey: [key] })));
}

function UnbindDialog({ item, part }: { item: Item; part: BoundTitle }) {
  const own = useLinkedWords().boundWith;
  const rebound = useBindingRefresh();
  return (
    <FormDialog
      title={own.unbindTitle(part.title)}
      submit={own.unbind}
      onSubmit={async () => {
        await changeBoundTitles(item.id ?? "", (holdings) => holdings.filter((id) => id !== part.holdingsId));
        announce(own.unbound(part.title));
        await rebound();
      }}
    >
      <p>{own.unbindHelp}</p>
    </FormDialog>
  );
}

export function BindDialog({ item, instanceId, onClose }: { item: Item; instanceId: string; onClose: () => void }) {
  const own = useLinkedWords().boundWith;
  const words = useRecordWords().move;
  const rebound = useBindingRefresh();
  const [title, setTitle] = useState<FoundTitle>();
  const [shelf, setShelf] = useState<string>();
  const shelves = useHoldingsChoices(title?.id);
  // A single set of holdings does not have to be chosen.
  const chosen = shelves.find(({ id }) => id === shelf)?.id ?? (shelves.length === 1 ? shelves[0]?.id : undefined);
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={own.bind}
      submit={own.submit}
      onSubmit={async () => {
        if (chosen === undefined) throw createRefusal(422, words.whereTo);
        await changeBoundTitles(item.id ?? "", (holdings) => {
          if (holdings.includes(chosen)) throw createRefusal(422, own.alreadyIn);
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
