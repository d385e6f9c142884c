import { expect, test } from "vitest";
import { jsonResponse, Network } from "../browser.ts";

test("of many patrons with a name a hundred are listed, and all are counted", async () => {
  const network = new Network().answerWith("GET /users", ({ query }) => {
    const isName = query.get("query")?.includes("personal.lastName") ?? false;
    const users = isName ? Array.from({ length: Number(query.get("limit")) }, (_, id) => ({ id: String(id) })) : [];
    return jsonResponse({ users, totalRecords: isName ? 240 : 0 });
  });
  const { findPatrons } = await import("../../src/api/patrons.ts");
  const { users, total } = await findPatrons("Smith");
  expect([users.length, total]).toEqual([100, 240]);
  expect(network.callsTo("GET /users")).toHaveLength(2);
});
