/** Chooses a line of a list. Its words are for screen readers, unless nothing else says what it chooses. */

import type { KeyboardEvent } from "react";
import { Checkbox } from "react-aria-components/Checkbox";

interface Props {
  label: string;
  isShown?: boolean;
  isOn: boolean;
  onChange: (on: boolean) => void;
}

export function TickOf({ label, isShown = false, isOn, onChange }: Props) {
  return (
    <Checkbox className="check" isSelected={isOn} onChange={onChange} onKeyDown={step}>
      <span className="tick" aria-hidden="true" />
      <span className={isShown ? "help" : "unseen"}>{label}</span>
    </Checkbox>
  );
}

/** The arrows lead from one tick to the next, past what else stands in the lines between. */
function step(event: KeyboardEvent) {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const list = event.target instanceof Element ? event.target.closest(".copies-of-title") : null;
  if (by === 0 || list === null) return;
  event.preventDefault();
  const ticks = [...list.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
  ticks[ticks.indexOf(event.target as HTMLInputElement) + by]?.focus();
}
