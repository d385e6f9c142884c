/** A keyboard shortcut, Alt and a letter, for the main action of a page. */

import { useEffect, useRef } from "react";

export function useAltKey(letter: string, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.code !== `Key${letter}`) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [letter]);
}
