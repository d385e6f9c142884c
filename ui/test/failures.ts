/** A reporter for `node --test`: a line of JSON for each file with failed tests, with the names of these tests. */

import type { TestEvent } from "node:test/reporters";

export interface Failed {
  file: string;
  names: string[];
}

export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failed = new Map<string, string[]>();
  for await (const event of events) {
    if (event.type !== "test:fail") continue;
    const { file, name } = event.data;
    if (file === undefined) continue;
    const names = failed.get(file) ?? [];
    failed.set(file, names);
    // A file of tests that fails is itself reported as a test, with its path as its name.
    if (!name.endsWith(".test.js")) names.push(name);
  }
  for (const [file, names] of failed) yield `${JSON.stringify({ file, names })}\n`;
}
