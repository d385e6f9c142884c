import { expect, test } from "vitest";
import { json, Network } from "../browser.ts";

const SIMULATE = "POST /octavo/rules/simulate";

test("where the server cannot read the rules, it is the editor's mistake, with line and column", async () => {
  const { mistakeOf } = await import("../../src/rules/mistake.ts");
  const network = new Network().on(SIMULATE, () =>
    json({ message: "Invalid token m", line: 3, column: 7, code: "x" }, 422),
  );
  expect(await mistakeOf("priority: t\n\nm m")).toEqual({ message: "Invalid token m", line: 3, column: 7 });
  expect(network.asked[0]?.body).toMatchObject({ rulesAsText: "priority: t\n\nm m" });
});

test("rules that can be read have none", async () => {
  const { mistakeOf } = await import("../../src/rules/mistake.ts");
  new Network().on(SIMULATE, () => json({ loans: 0 }));
  expect(await mistakeOf("priority: t")).toBeNull();
});

test("another refusal is no mistake in the rules", async () => {
  const { mistakeOf } = await import("../../src/rules/mistake.ts");
  new Network().on(SIMULATE, () => new Response("Access denied", { status: 403 }));
  await expect(mistakeOf("priority: t")).rejects.toThrow("Access denied");
});
