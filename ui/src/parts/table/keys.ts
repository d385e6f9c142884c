/** The meaning of keys in a table. */

interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

interface TablePosition {
  active: number;
  count: number;
  /** The number of rows that are visible at once. */
  page: number;
}

export interface KeyCommand {
  /** The index of the row to move to. */
  to?: number;
  does?: "tick" | "tickRange" | "tickAll" | "tickNone" | "open";
}

/** Returns undefined for a key that has no meaning in the table. */
export function keyCommand(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress,
  { active, count, page }: TablePosition,
): KeyCommand | undefined {
  if (altKey || count === 0) return undefined;
  const isCommand = ctrlKey || metaKey;
  if (isCommand) return key.toLowerCase() === "a" ? { does: "tickAll" } : undefined;
  const go = (to: number): KeyCommand => ({
    to: Math.min(count - 1, Math.max(0, to)),
    ...(shiftKey && { does: "tickRange" }),
  });
  switch (key) {
    case "ArrowDown":
      return go(active + 1);
    case "ArrowUp":
      return go(active - 1);
    case "PageDown":
      return go(active + page);
    case "PageUp":
      return go(active - page);
    case "Home":
      return go(0);
    case "End":
      return go(count - 1);
    case " ":
      return { does: shiftKey ? "tickRange" : "tick" };
    case "Enter":
      return { does: "open" };
    case "Escape":
      return { does: "tickNone" };
    default:
      return undefined;
  }
}
