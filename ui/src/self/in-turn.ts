/** What a patron scans, sent one after the other, and forgotten with them: nothing of it is kept in the browser. */

import { useEffect, useRef, useState } from "react";
import { sound } from "../scanning/signals.tsx";

export interface Line<Answer> {
  key: string;
  barcode: string;
  answer?: Answer;
  error?: unknown;
}

export function useInTurn<Answer>(send: (barcode: string) => Promise<Answer>) {
  const [lines, setLines] = useState<Line<Answer>[]>([]);
  const turn = useRef(Promise.resolve());
  const latest = useRef(send);
  latest.current = send;
  // Whoever is next must not see what the one before them has scanned last.
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const settle = (key: string, told: Partial<Line<Answer>>) =>
    setLines((all) => all.map((line) => (line.key === key ? { ...line, ...told } : line)));
  const add = (barcode: string) => {
    const key = crypto.randomUUID();
    setLines((all) => [{ key, barcode }, ...all]);
    turn.current = turn.current.then(async () => {
      if (isGone.current) return;
      try {
        settle(key, { answer: await latest.current(barcode) });
        sound("well");
      } catch (error) {
        settle(key, { error });
        sound("badly");
      }
    });
  };
  const isWaiting = lines.some(({ answer, error }) => answer === undefined && error === undefined);
  return { lines, add, isWaiting, allSent: () => turn.current };
}
