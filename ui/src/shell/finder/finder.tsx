/**
 * A button, and the shortcut Ctrl+K, that open the finder. A scanner never presses them, and the code of the finder is
 * loaded at the first use.
 */

import { Suspense, useEffect, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons.tsx";
import { later } from "../../parts/later.ts";
import { useWords } from "../../words/index.tsx";

const Box = later(() => import("./box.tsx"));

export function Finder() {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.code !== "KeyK") return;
      event.preventDefault();
      // An open dialog has to be answered first.
      if (document.querySelector(".veil") === null) setOpen(true);
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
  return (
    <>
      <Button className="find" aria-keyshortcuts="Control+K" onPress={() => setOpen(true)}>
        <Icon name="search" />
        <span className="unseen">{words.search}</span>
        <kbd>Ctrl K</kbd>
      </Button>
      {isOpen && (
        <Suspense>
          <Box close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
