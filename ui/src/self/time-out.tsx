/** Nobody there any more: after a minute the machine asks, and then forgets the patron. */

import { useEffect, useRef, useState } from "react";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useSelfWords } from "./words/index.tsx";

const QUIET_S = 60;
const ASKED_S = 15;
const SIGNS = ["pointerdown", "keydown", "touchstart"] as const;

interface Props {
  onOver: () => void;
  /** At the start only what is half typed is to be forgotten, and nobody is asked. */
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
    for (const name of SIGNS) window.addEventListener(name, sign, true);
    const clock = setInterval(() => {
      const quiet = (Date.now() - last.current) / 1000;
      if (quiet < QUIET_S) return;
      const remains = Math.ceil(QUIET_S + ASKED_S - quiet);
      if (!isIdle && remains > 0) return setLeft(remains);
      sign();
      onOver();
    }, 1000);
    return () => {
      clearInterval(clock);
      for (const name of SIGNS) window.removeEventListener(name, sign, true);
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
