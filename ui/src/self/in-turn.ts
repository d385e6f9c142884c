/**
 * Sends the scans of a patron one after the other; they are forgotten with the visit, and nothing is kept in the
 * browser.
 */

import { useEffect, useRef, useState } from "react";
import { playSignal } from "../scanning/signals.tsx";

export interface SelfScan<Answer> {
  key: string;
  barcode: string;
  answer?: Answer;
  error?: unknown;
}

export function useScansInTurn<Answer>(send: (barcode: string) => Promise<Answer>) {
  const [lines, setLines] = useState<SelfScan<Answer>[]>([]);
  const turn = useRef(Promise.resolve());
  const latest = useRef(send);
  latest.current = send;
  // The next patron must not see the last scan of the previous one.
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const settle = (key: string, told: Partial<SelfScan<Answer>>) =>
    setLines((all) => all.map((line) => (line.key === key ? { ...line, ...told } : line)));
  const add = (barcode: string) => {
    const key = crypto.randomUUID();
    setLines((all) => [{ key, barcode }, ...all]);
    turn.current = turn.current.then(async () => {
      if (isGone.current) return;
      try {
        settle(key, { answer: await latest.current(barcode) });
        playSignal("well");
      } catch (error) {
        settle(key, { error });
        playSignal("badly");
      }
    });
  };
  const isWaiting = lines.some(({ answer, error }) => answer === undefined && error === undefined);
  return { lines, add, isWaiting, allSent: () => turn.current };
}
