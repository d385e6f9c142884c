/** Notices text that was typed into the fields of a dialog, so that it is not lost when the dialog is closed. */

import { type RefCallback, useCallback, useRef, useState } from "react";

type TextField = HTMLInputElement | HTMLTextAreaElement;

interface TypedText {
  /** The text before it was typed into, as it was last. */
  before: string;
  last: string;
}

const TEXT_TYPES = ["text", "email", "number", "password", "tel", "url"];

/** The attribute of fields whose text only searches: it is typed again in no time. */
export const SEARCHES = { "data-searches": "" };

const isTextField = (target: EventTarget | null): target is TextField =>
  (target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && TEXT_TYPES.includes(target.type) && target.role !== "combobox")) &&
  target.closest("[data-searches]") === null;

/** Watches the fields of a dialog. */
export function useTypedText(): {
  /** The ref of an element inside of the dialog. */
  watch: RefCallback<HTMLElement>;
  isTyped: boolean;
} {
  const typed = useRef(new Map<TextField, TypedText>());
  const [isTyped, setTyped] = useState(false);
  const watch = useCallback((inside: HTMLElement | null) => {
    const dialog = inside?.closest<HTMLElement>("[role=dialog]");
    if (!dialog) return;
    const texts = typed.current;
    const noteBefore = ({ target }: Event) => {
      if (isTextField(target) && !texts.has(target)) texts.set(target, { before: target.value, last: target.value });
    };
    const noteTyped = ({ target }: Event) => {
      const text = texts.get(target as TextField);
      if (text === undefined) return;
      // Later: rendered before React has heard of the event, the field would get its former text again.
      setTimeout(() => {
        text.last = (target as TextField).value;
        // The text of a field that is not shown any more may still be sent.
        setTyped([...texts.values()].some(({ before, last }) => before !== last));
      });
    };
    dialog.addEventListener("beforeinput", noteBefore, true);
    dialog.addEventListener("input", noteTyped, true);
    return () => {
      texts.clear();
      setTyped(false);
      dialog.removeEventListener("beforeinput", noteBefore, true);
      dialog.removeEventListener("input", noteTyped, true);
    };
  }, []);
  return { watch, isTyped };
}
