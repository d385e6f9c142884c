/** A search field. The address keeps its text, so that a reload, a link and the Back button find the same results. */

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useSearchParams } from "wouter";

const PAUSE_MS = 200;

/** The new value or values of each parameter of the address; undefined removes it. */
type AddressChange = Record<string, string | readonly string[] | undefined>;

export function useAddress(): [
  get: (name: string) => string,
  /** `isStep`: the change is a step in the browser's history, so that Back undoes it. */
  set: (change: AddressChange, isStep?: boolean) => void,
  address: URLSearchParams,
] {
  const [address, setAddress] = useSearchParams();
  const get = (name: string) => address.get(name) ?? "";
  const set = (change: AddressChange, isStep = false) =>
    setAddress((now) => changeAddress(now, change), { replace: !isStep });
  return [get, set, address];
}

export function changeAddress(address: URLSearchParams, change: AddressChange): URLSearchParams {
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
  /** The main search field of a page takes the focus, a filter does not. */
  isMain?: boolean;
  /** The parameters of the address that belong to the previous search and are removed. */
  clears?: readonly string[];
  /** The search starts with Enter only, because a half-typed text is not valid (a CQL query). */
  waitsForEnter?: boolean;
  /** Elements before and after the field. */
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
  // The main search field has the focus when the page opens.
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
    // A link or the Back button has led to another search.
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
