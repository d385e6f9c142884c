import { expect, test } from "vitest";
import { jsonResponse, Network } from "../browser.ts";

const SIMULATE = "POST /octavo/rules/simulate";

test("where the server cannot read the rules, it is the editor's mistake, with line and column", async () => {
  const { findMistake } = await import("../../src/rules/mistake.ts");
  const network = new Network().answerWith(SIMULATE, () =>
    jsonResponse({ message: "Invalid token m", line: 3, column: 7, code: "x" }, 422),
  );
  expect(await findMistake("priority: t\n\nm m")).toEqual({ message: "Invalid token m", line: 3, column: 7 });
  expect(network.calls[0]?.body).toMatchObject({ rulesAsText: "priority: t\n\nm m" });
});

test("rules that can be read have none", async () => {
  const { findMistake } = await import("../../src/rules/mistake.ts");
  new Network().answerWith(SIMULATE, () => jsonResponse({ loans: 0 }));
  expect(await findMistake("priority: t")).toBeNull();
});

test("another refusal is no mistake in the rules", async () => {
  const { findMistake } = await import("../../src/rules/mistake.ts");
  new Network().answerWith(SIMULATE, () => new Response("Access denied", { status: 403 }));
  await expect(findMistake("priority: t")).rejects.toThrow("Access denied");
});
