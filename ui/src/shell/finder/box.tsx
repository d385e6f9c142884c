/** A search field for patrons, titles, requests, settings and pages of the desk, used by keyboard. */

import { useQueries } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useLocation } from "wouter";
import { Dialog } from "../../parts/dialog.tsx";
import { useDebounced } from "../../parts/settled.ts";
import { findSettings, matchesWords } from "../../settings/places.ts";
import { useSettingsWords } from "../../settings/words/index.tsx";
import { useWords } from "../../words/index.tsx";
import { isPageAllowed, PAGES } from "../pages.ts";
import { useMay } from "../session.ts";
import { HIT_SOURCES, type Hit } from "./hits.ts";
import { useFinderWords } from "./words/index.tsx";
import "./finder.css";

export default function FinderDialog({ close }: { close: () => void }) {
  const words = useFinderWords();
  return (
    <Dialog title={words.title} isOpen onClose={close}>
      {() => <FinderSearch close={close} />}
    </Dialog>
  );
}

const ARROW_STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function FinderSearch({ close }: { close: () => void }) {
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
          // The Enter key of a scanner, which must not open a hit.
          if (event.defaultPrevented) return;
          const step = ARROW_STEPS[event.key];
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

interface HitLineProps {
  id: string;
  hit: Hit;
  isChosen: boolean;
  open: (hit: Hit) => void;
}

function HitLine({ id, hit, isChosen, open }: HitLineProps) {
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

/** Pages and settings are found at once; the server is asked when the person typing pauses. */
function useHits(text: string): { hits: Hit[]; isLooking: boolean; failed: Hit["kind"][] } {
  const may = useMay();
  const settled = useDebounced(text);
  const here = useDeskHits(text);
  const parts = HIT_SOURCES.filter(({ needs }) => may(needs));
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

function useDeskHits(text: string): Hit[] {
  const words = useWords();
  const settings = useSettingsWords();
  const may = useMay();
  const wanted = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const pages = PAGES.filter((page) => isPageAllowed(page, may) && matchesWords(words.pages[page.name], wanted));
  const places = findSettings(text, settings).filter(({ needs }) => may(needs));
  return [
    ...pages.map(({ name, path }): Hit => ({ kind: "page", id: name, name: words.pages[name], path })),
    ...places.slice(0, 6).map(
      ({ slug, texts, label }): Hit => ({
        kind: "setting",
        id: slug,
        name: texts(settings).many,
        more: label,
        path: `/settings/${slug}`,
      }),
    ),
  ];
}
