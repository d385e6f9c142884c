/** A value outside of React that components subscribe to, kept in the browser's storage if it has a name. */

import { useSyncExternalStore } from "react";

export interface Store<T> {
  get: () => T;
  set: (change: T | ((value: T) => T)) => void;
  use: () => T;
  subscribe: (listener: () => void) => () => void;
}

interface StorageOptions {
  name: string;
  in: () => Storage;
  /** The value follows the changes of other tabs. Otherwise each tab keeps the value that it has read at first. */
  isShared?: boolean;
}

export function store<T>(initial: T, kept?: StorageOptions): Store<T> {
  let value = kept ? readStored(kept.in(), kept.name, initial) : initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const follow = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const set: Store<T>["set"] = (change) => {
    value = typeof change === "function" ? (change as (value: T) => T)(value) : change;
    try {
      kept?.in().setItem(kept.name, JSON.stringify(value));
    } catch {
      // The storage is full or forbidden: the value still applies until the page is closed.
    }
    for (const listener of listeners) listener();
  };
  if (kept?.isShared) {
    window.addEventListener("storage", ({ key }) => {
      // The key is null if the whole storage was cleared.
      if (key !== kept.name && key !== null) return;
      value = readStored(kept.in(), kept.name, initial);
      for (const listener of listeners) listener();
    });
  }
  return { get, set, subscribe: follow, use: () => useSyncExternalStore(follow, get) };
}

function readStored<T>(storage: Storage, name: string, initial: T): T {
  try {
    const text = storage.getItem(name);
    if (text === null) return initial;
    const value = JSON.parse(text) as T;
    // Members that an older version of the desk has not stored get their initial value.
    return initial !== null && typeof initial === "object" && !Array.isArray(initial)
      ? { ...initial, ...value }
      : value;
  } catch {
    return initial;
  }
}
