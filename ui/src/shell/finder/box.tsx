/** One field and what it finds, by keyboard: patrons, titles and requests of the library, settings, and pages of the desk. */

import { useQueries } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useLocation } from "wouter";
import { Dialog } from "../../parts/dialog.tsx";
import { useSettled } from "../../parts/settled.ts";
import { isLike, settingsLike } from "../../settings/places.ts";
import { useSettingsWords } from "../../settings/words/index.tsx";
import { useWords } from "../../words/index.tsx";
import { isOpen, PAGES } from "../pages.ts";
import { useMay } from "../session.ts";
import { type Hit, PARTS } from "./hits.ts";
import { useFinderWords } from "./words/index.tsx";
import "./finder.css";

export default function Box({ close }: { close: () => void }) {
  const words = useFinderWords();
  return (
    <Dialog title={words.title} isOpen onClose={close}>
      {() => <Search close={close} />}
    </Dialog>
  );
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function Search({ close }: { close: () => void }) {
  const words = useFinderWords();
  const id = useId();
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [chosen, choose] = useState(0);
  const { hits, isLooking, failed } = useHits(text.trim());
  const at = Math.min(chosen, Math.max(0, hits.length - 1));
  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    close();
    navigate(hit.path);
  };
  return (
    <div className="finder">
      <label htmlFor={`${id}-text`}>{words.label}</label>
      <input
        id={`${id}-text`}
        // biome-ignore lint/a11y/noAutofocus: whoever opens the box goes on typing
        autoFocus
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-hits`}
        aria-activedescendant={hits[at] && `${id}-${at}`}
        aria-describedby={`${id}-help`}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          choose(0);
        }}
        onKeyDown={(event) => {
          // A scanner's Enter, which sends nothing.
          if (event.defaultPrevented) return;
          const step = STEPS[event.key];
          if (step !== undefined && hits.length > 0) choose((at + step + hits.length) % hits.length);
          else if (event.key === "Enter" && !isLooking) open(hits[at]);
          else return;
          event.preventDefault();
        }}
      />
      <p className="help" id={`${id}-help`}>
        {words.help}
      </p>
      <div className="hits" id={`${id}-hits`} role="listbox" aria-label={words.title}>
        {hits.map((hit, index) => (
          <HitLine key={`${hit.kind} ${hit.id}`} id={`${id}-${index}`} hit={hit} isChosen={index === at} open={open} />
        ))}
      </div>
      <p className="help" role="status">
        {text.trim() && (isLooking ? words.looking : hits.length > 0 ? words.found(hits.length) : words.none(text))}
      </p>
      {failed.length > 0 && (
        <p className="banner warn">{words.failed(failed.map((kind) => words.kinds[kind]).join(", "))}</p>
      )}
    </div>
  );
}

interface Line {
  id: string;
  hit: Hit;
  isChosen: boolean;
  open: (hit: Hit) => void;
}

function HitLine({ id, hit, isChosen, open }: Line) {
  const words = useFinderWords();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the field, which keeps the focus
    <div className="hit" id={id} role="option" aria-selected={isChosen} onClick={() => open(hit)}>
      <span>
        {hit.name} {hit.more && <small>{hit.more}</small>}
      </span>
      <small>{words.kinds[hit.kind]}</small>
    </div>
  );
}

/** Pages and settings at once; what the server must be asked for when the hand pauses. */
function useHits(text: string): { hits: Hit[]; isLooking: boolean; failed: Hit["kind"][] } {
  const may = useMay();
  const settled = useSettled(text);
  const here = useHitsOfDesk(text);
  const parts = PARTS.filter(({ needs }) => may(needs));
  const isAsked = settled.length > 1;
  const answers = useQueries({
    queries: parts.map(({ kind, find }) => ({
      queryKey: ["finder", kind, settled],
      enabled: isAsked,
      retry: false,
      queryFn: () => find(settled),
    })),
  });
  const isLooking = (text.length > 1 && text !== settled) || (isAsked && answers.some(({ isPending }) => isPending));
  const found = answers.flatMap(({ data }) => (isAsked ? (data ?? []) : []));
  return {
    hits: text === "" ? [] : [...here, ...found],
    isLooking,
    failed: parts.filter((_, index) => answers[index]?.error).map(({ kind }) => kind),
  };
}

function useHitsOfDesk(text: string): Hit[] {
  const words = useWords();
  const settings = useSettingsWords();
  const may = useMay();
  const wanted = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const pages = PAGES.filter((page) => isOpen(page, may) && isLike(words.pages[page.name], wanted));
  const places = settingsLike(text, settings).filter(({ needs }) => may(needs));
  return [
    ...pages.map(({ name, path }): Hit => ({ kind: "page", id: name, name: words.pages[name], path })),
    ...places.slice(0, 6).map(
      ({ slug, says, label }): Hit => ({
        kind: "setting",
        id: slug,
        name: says(settings).many,
        more: label,
        path: `/settings/${slug}`,
      }),
    ),
  ];
}
