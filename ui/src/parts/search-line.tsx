/** What a list is searched for. The address keeps it, so that a reload, a link and the way back find the same list. */

import { useEffect, useId, useRef, useState } from "react";
import { useSearchParams } from "wouter";

const PAUSE_MS = 200;

export function useAddress(): [
  get: (name: string) => string,
  set: (change: Record<string, string | undefined>) => void,
] {
  const [address, setAddress] = useSearchParams();
  const get = (name: string) => address.get(name) ?? "";
  const set = (change: Record<string, string | undefined>) =>
    setAddress(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(change)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  return [get, set];
}

interface Props {
  label: string;
  help?: string;
  name?: string;
  /** What the page is for, not a filter of a part of it. */
  isMain?: boolean;
}

export function SearchLine({ label, help, name = "query", isMain = true }: Props) {
  const [get, set] = useAddress();
  const asked = get(name);
  const [text, setText] = useState(asked);
  const id = useId();
  const change = useRef(set);
  const input = useRef<HTMLInputElement>(null);
  // One comes to such a page to search.
  useEffect(() => {
    if (isMain) input.current?.focus();
  }, [isMain]);
  change.current = set;
  useEffect(() => {
    if (text.trim() === asked) return;
    const timer = setTimeout(() => change.current({ [name]: text.trim(), page: undefined }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, asked, name]);
  return (
    <search className="scan">
      <label htmlFor={id}>{label}</label>
      <div className="scan-line">
        <input
          id={id}
          ref={input}
          type="search"
          className="words"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && change.current({ [name]: text.trim(), page: undefined })}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={help ? `${id}-help` : undefined}
        />
      </div>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </search>
  );
}
