import { expect, test } from "vitest";
import { jsonResponse, Network } from "../browser.ts";

test("a list is loaded page by page, each record once, up to ten thousand", async () => {
  const { loadAllPages, MAX_ROWS } = await import("../../src/lists/loading.ts");
  const far: string[] = [];
  const network = new Network().answerWith("GET /circulation/loans", ({ query }) => {
    const [offset, limit] = [Number(query.get("offset")), Number(query.get("limit"))];
    // While the pages are read, one loan moves from the first to the second.
    const loans = Array.from({ length: limit }, (_, index) => ({ id: String(offset + index - (offset > 0 ? 1 : 0)) }));
    return jsonResponse({ loans, totalRecords: 12_345 });
  });
  const onProgress = ({ done, total }: { done: number; total: number }) => far.push(`${done}/${total}`);
  const loading = { signal: new AbortController().signal, onProgress };
  const { rows, total } = await loadAllPages("/circulation/loans", "loans", "cql.allRecords=1 sortBy id", loading);
  expect(total).toBe(12_345);
  expect(rows).toHaveLength(MAX_ROWS - 1);
  expect(far[0]).toBe("500/10000");
  expect(far.at(-1)).toBe("9999/10000");
  expect(network.callsTo("GET /circulation/loans")).toHaveLength(20);
});
