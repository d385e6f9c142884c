/** What a key does in a table. */

interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

interface At {
  active: number;
  count: number;
  /** Rows that are seen at once. */
  page: number;
}

export interface Meant {
  /** The row that one goes to. */
  to?: number;
  does?: "tick" | "tickRange" | "tickAll" | "tickNone" | "open";
}

/** Nothing for a key that is not the table's. */
export function meant(
  { key, shiftKey, ctrlKey, metaKey, altKey }: Pressed,
  { active, count, page }: At,
): Meant | undefined {
  if (altKey || count === 0) return undefined;
  const isCommand = ctrlKey || metaKey;
  if (isCommand) return key.toLowerCase() === "a" ? { does: "tickAll" } : undefined;
  const go = (to: number): Meant => ({
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
