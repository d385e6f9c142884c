/** A checkbox for a line of a list. Its label is for screen readers only, unless nothing else says what it ticks. */

import type { KeyboardEvent } from "react";
import { Checkbox } from "react-aria-components/Checkbox";

interface Props {
  label: string;
  isShown?: boolean;
  isOn: boolean;
  onChange: (on: boolean) => void;
}

export function LineCheckbox({ label, isShown = false, isOn, onChange }: Props) {
  return (
    <Checkbox className="check" isSelected={isOn} onChange={onChange} onKeyDown={focusNextCheckbox}>
      <span className="tick" aria-hidden="true" />
      <span className={isShown ? "help" : "unseen"}>{label}</span>
    </Checkbox>
  );
}

/** Arrow keys move from one checkbox to the next, past other elements of the lines. */
function focusNextCheckbox(event: KeyboardEvent) {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const list = event.target instanceof Element ? event.target.closest(".copies-of-title") : null;
  if (by === 0 || list === null) return;
  event.preventDefault();
  const ticks = [...list.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
  ticks[ticks.indexOf(event.target as HTMLInputElement) + by]?.focus();
}
