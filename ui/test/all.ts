/**
 * Runs all browser tests: most at the same time, those of `alone/` one after the other. Each file of tests has a
 * library of its own, a copy of one demo library that is made here: making it takes the server several seconds, copying
 * it a fraction of one.
 *
 * A file in which a test failed is run once more by itself. If it passes then, the run has passed, and its last lines
 * name the tests that failed at first: such a test, or the desk, does not wait for something, which is a defect in
 * either case.
 */

import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Failed } from "./failures.js";
import { serve, stopServer, waitForAddress } from "./library.js";

const tests = import.meta.dirname;

/** With more failed files than these, something is broken, and another run would only take time. */
const MOST_RUN_AGAIN = 3;

function filesOf(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".test.js"));
  return names.sort().map((name) => join(folder, name));
}

/** The files of which a test failed, run so many files at a time. */
async function runFailing(files: string[], atOnce: number): Promise<Failed[]> {
  // Without a file Node.js would look for tests itself.
  if (files.length === 0) return [];
  const list = join(folder, "failed.jsonl");
  const reports = ["tap", "stdout", join(tests, "failures.js"), list].map((value, place) =>
    place % 2 === 0 ? `--test-reporter=${value}` : `--test-reporter-destination=${value}`,
  );
  const flags = ["--test", `--test-concurrency=${atOnce}`, ...reports];
  const run = spawn(process.execPath, [...flags, ...files], { stdio: "inherit" });
  const code = await new Promise((done) => run.once("exit", done));
  const lines = readFileSync(list, "utf8").split("\n").filter(Boolean);
  const found = lines.map((line) => JSON.parse(line) as Failed);
  if (code !== 0 && found.length === 0)
    throw new Error(`the tests ended with ${code}, and none is said to have failed`);
  return found;
}

/** Whether all tests of these files passed, those of a failed file at least when it was run once more by itself. */
async function allPass(files: string[], atOnce: number): Promise<boolean> {
  const first = await runFailing(files, atOnce);
  if (first.length === 0) return true;
  if (first.length > MOST_RUN_AGAIN) return false;
  const again = first.map(({ file }) => file);
  console.log(`# Once more: ${again.map((file) => relative(tests, file)).join(", ")}`);
  if ((await runFailing(again, 1)).length > 0) return false;
  unreliable.push(...first);
  return true;
}

async function makeDemo(data: string): Promise<void> {
  const server = serve(data, []);
  await waitForAddress(server);
  await stopServer(server);
  process.env.OCTAVO_DEMO = data;
}

const folder = mkdtempSync(join(tmpdir(), "octavo-demo-"));
const unreliable: Failed[] = [];
// PostgreSQL runs as a user of its own where tests run as root.
chmodSync(folder, 0o755);
try {
  // Where a server is there already, all files of tests use that one.
  if (!process.env.OCTAVO_DESK) await makeDemo(join(folder, "data"));
  // One more than there are processors: each waits now and then.
  const together = await allPass(filesOf(tests), availableParallelism() + 1);
  const alone = await allPass(filesOf(join(tests, "alone")), 1);
  for (const { file, names } of unreliable) {
    console.log(`# Passed only when run once more: ${relative(tests, file)}: ${names.join("; ")}`);
  }
  process.exitCode = together && alone ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
