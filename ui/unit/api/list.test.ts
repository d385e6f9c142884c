import { expect, test } from "vitest";
import { jsonResponse, Network } from "../browser.ts";

const ROUTE = "GET /feefineactions";

/** The server has so many fee actions, and gives those that a page asks for. */
const serverWith = (total: number) =>
  new Network().answerWith(ROUTE, ({ query }) => {
    const from = Number(query.get("offset") ?? 0);
    const count = Math.max(0, Math.min(Number(query.get("limit")), total - from));
    const feefineactions = Array.from({ length: count }, (_, at) => ({ id: String(from + at) }));
    return jsonResponse({ feefineactions, totalRecords: total });
  });

test.each([
  [0, 1],
  [999, 1],
  [1000, 2],
  [2345, 3],
])("of %i records all are loaded, in %i pages, each once", async (total, pages) => {
  const network = serverWith(total);
  const { listAll } = await import("../../src/api/list.ts");
  const query = "createdAt==desk sortby dateAction";
  const all = await listAll("/feefineactions", query, ({ feefineactions }) => feefineactions);
  expect(all.map(({ id }) => Number(id))).toEqual(Array.from({ length: total }, (_, at) => at));
  expect(network.callsTo(ROUTE).map((call) => call.query.get("query"))).toEqual(Array(pages).fill(query));
});
