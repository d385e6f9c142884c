/**
 * After a minute without a key or touch, the machine asks whether the patron is still there, and then ends the visit.
 */

import { useEffect, useRef, useState } from "react";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useSelfWords } from "./words/index.tsx";

const IDLE_SECONDS = 60;
const ANSWER_SECONDS = 15;
const ACTIVITY_EVENTS = ["pointerdown", "keydown", "touchstart"] as const;

interface Props {
  onOver: () => void;
  /** On the start page only half-typed text is removed, without a question. */
  isIdle: boolean;
}

export function TimeOut({ onOver, isIdle }: Props) {
  const words = useSelfWords();
  const last = useRef(Date.now());
  const [left, setLeft] = useState<number>();
  useEffect(() => {
    const sign = () => {
      last.current = Date.now();
      setLeft(undefined);
    };
    sign();
    for (const name of ACTIVITY_EVENTS) window.addEventListener(name, sign, true);
    const clock = setInterval(() => {
      const quiet = (Date.now() - last.current) / 1000;
      if (quiet < IDLE_SECONDS) return;
      const remains = Math.ceil(IDLE_SECONDS + ANSWER_SECONDS - quiet);
      if (!isIdle && remains > 0) return setLeft(remains);
      sign();
      onOver();
    }, 1000);
    return () => {
      clearInterval(clock);
      for (const name of ACTIVITY_EVENTS) window.removeEventListener(name, sign, true);
    };
  }, [isIdle, onOver]);
  return (
    <Dialog title={words.stillThere} isOpen={left !== undefined} onClose={() => setLeft(undefined)}>
      {() => (
        <>
          <p role="timer">{words.endsIn(left ?? 0)}</p>
          <div className="buttons">
            <Button kind="primary" autoFocus onPress={() => setLeft(undefined)}>
              {words.yes}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
