/**
 * Runs all browser tests: most at the same time, those of `alone/` one after the other. Each file of tests has a library of its own, a copy
 * of one demo library that is made here: making one takes the server several seconds, copying it a fraction of one.
 */

import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { said, serve, stopped } from "./library.js";

const tests = import.meta.dirname;

function filesOf(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".test.js"));
  return names.sort().map((name) => join(folder, name));
}

/** Whether all tests of these files passed, so many files at a time. */
function pass(files: string[], atOnce: number): Promise<boolean> {
  const flags = ["--test", `--test-concurrency=${atOnce}`];
  const run = spawn(process.execPath, [...flags, ...files], { stdio: "inherit" });
  return new Promise((done) => run.once("exit", (code) => done(code === 0)));
}

async function makeDemo(data: string): Promise<void> {
  const server = serve(data, []);
  await said(server);
  await stopped(server);
  process.env.OCTAVO_DEMO = data;
}

const folder = mkdtempSync(join(tmpdir(), "octavo-demo-"));
// PostgreSQL runs as a user of its own where tests run as root.
chmodSync(folder, 0o755);
try {
  // Where a server is there already, all files of tests use that one.
  if (!process.env.OCTAVO_DESK) await makeDemo(join(folder, "data"));
  // One more than there are processors: each waits now and then.
  const together = await pass(filesOf(tests), availableParallelism() + 1);
  const alone = await pass(filesOf(join(tests, "alone")), 1);
  process.exitCode = together && alone ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
