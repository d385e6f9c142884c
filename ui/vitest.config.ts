import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["unit/**/*.test.{ts,tsx}"],
    setupFiles: ["unit/around.ts"],
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "http://localhost:9130/desk/check-out" } },
    unstubGlobals: true,
    // A machine that compiles beside it takes seconds to load a file for the first time.
    testTimeout: 60_000,
  },
});
