/** Left and right arrow keys, by the direction in which the page is read. */

const MIRRORED_KEYS: Readonly<Record<string, string>> = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };

/** The key that has the same meaning in a language that is written from left to right. */
export function readingKey(key: string): string {
  return (document.documentElement.dir === "rtl" && MIRRORED_KEYS[key]) || key;
}
