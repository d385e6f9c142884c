/** What a list is searched for. The address keeps it, so that a reload, a link and the way back find the same list. */

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useSearchParams } from "wouter";

const PAUSE_MS = 200;

/** Of each name its value, or its values; none takes it out of the address. */
type Change = Record<string, string | readonly string[] | undefined>;

export function useAddress(): [
  get: (name: string) => string,
  /** `isStep`: the browser's way back leads to where one was before. */
  set: (change: Change, isStep?: boolean) => void,
  address: URLSearchParams,
] {
  const [address, setAddress] = useSearchParams();
  const get = (name: string) => address.get(name) ?? "";
  const set = (change: Change, isStep = false) => setAddress((now) => changed(now, change), { replace: !isStep });
  return [get, set, address];
}

export function changed(address: URLSearchParams, change: Change): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const [name, values] of Object.entries(change)) {
    next.delete(name);
    for (const value of [values ?? []].flat()) {
      if (value) next.append(name, value);
    }
  }
  return next;
}

interface Props {
  label: string;
  help?: string | undefined;
  name?: string;
  /** What the page is for, not a filter of a part of it. */
  isMain?: boolean;
  /** What of the address belongs to the search before. */
  clears?: readonly string[];
  /** It is sent by Enter alone: while it is typed it means nothing. */
  waitsForEnter?: boolean;
  /** Fields before and behind it. */
  before?: ReactNode;
  behind?: ReactNode;
}

export function SearchLine({ label, help, name = "query", isMain = true, waitsForEnter = false, ...more }: Props) {
  const { clears = ["page"], before, behind } = more;
  const [get, set] = useAddress();
  const asked = get(name);
  const [text, setText] = useState(asked);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // One comes to such a page to search.
  const comesToSearch = useRef(isMain);
  useEffect(() => {
    if (comesToSearch.current) input.current?.focus();
  }, []);
  const sent = useRef(asked);
  const send = useRef((_: string) => {});
  send.current = (text) => {
    sent.current = text.trim();
    set({ ...Object.fromEntries(clears.map((one) => [one, undefined])), [name]: sent.current });
  };
  useEffect(() => {
    // Something else has led to another search: a link, or the way back.
    if (asked === sent.current) return;
    sent.current = asked;
    setText(asked);
  }, [asked]);
  useEffect(() => {
    if (waitsForEnter || text.trim() === sent.current) return;
    const timer = setTimeout(() => send.current(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, waitsForEnter]);
  return (
    <search className="scan">
      <label htmlFor={id}>{label}</label>
      <div className="scan-line">
        {before}
        <input
          id={id}
          ref={input}
          type="search"
          className="words"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && send.current(text)}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={help ? `${id}-help` : undefined}
        />
        {behind}
      </div>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </search>
  );
}
