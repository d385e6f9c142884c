/**
 * The icons of the desk, drawn on a square of 16 units in the colour of the text beside them. An icon always stands
 * beside a text and never replaces it, so screen readers skip it.
 */

const ICON_PATHS = {
  done: "M3 8.5 6.5 12 13 4.5",
  refused: "M4 4l8 8M12 4l-8 8",
  warning: "M8 2 1.5 13.5h13zM8 6v4M8 11.8v.4",
  undone: "M5 3 2 6l3 3M2 6h8a4 4 0 0 1 0 8H6",
  waiting: "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2M8 4.5V8l2.5 1.5",
  shelf: "M2 14h12M3.5 14V4h3v10M6.5 14V2.5h3V14M10 14l-.5-9 3-.5 1 9.5",
  hold: "M4 2h8v12l-4-3.5L4 14z",
  transit: "M1.5 4h8v7h-8zM9.5 6.5h3l2 2.5v2h-5M4 11.5a1.2 1.2 0 1 0 .1 0M12 11.5a1.2 1.2 0 1 0 .1 0",
  delivery: "M2 5.5 8 2l6 3.5v6L8 15l-6-3.5zM2 5.5 8 9l6-3.5M8 9v6",
  other: "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2M8 4.5V9M8 11v.5",
  fee: "M1.5 4h13v8h-13zM8 6a2 2 0 1 0 0 4 2 2 0 1 0 0-4",
  person: "M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 1 0 0-5.4M2.5 14c.5-3.5 3-4.5 5.5-4.5s5 1 5.5 4.5",
  search: "M7 2a5 5 0 1 0 0 10A5 5 0 1 0 7 2M10.7 10.7 14.5 14.5",
  help: "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2M6 6.2a2 2 0 1 1 2.6 2c-.5.2-.6.6-.6 1.1M8 11.2v.4",
} as const;

export type IconName = keyof typeof ICON_PATHS;

/** Icons that point in the reading direction and are mirrored in languages that are written from right to left. */
const DIRECTIONAL_ICONS: readonly IconName[] = ["undone", "transit"];

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={DIRECTIONAL_ICONS.includes(name) ? "icon pointing" : "icon"} viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
