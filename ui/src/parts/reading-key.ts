/** Keys that go on and back in the direction in which the page is read. */

const TURNED: Readonly<Record<string, string>> = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };

/** The key that does the same where one reads from left to right. */
export function readingKey(key: string): string {
  return (document.documentElement.dir === "rtl" && TURNED[key]) || key;
}
