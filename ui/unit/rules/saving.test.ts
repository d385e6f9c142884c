import { expect, test } from "vitest";
import { jsonResponse, Network } from "../browser.ts";

const RULES = "/circulation/rules";

async function openRules(rulesAsText: string) {
  const network = new Network()
    .answerWith(`GET ${RULES}`, () => jsonResponse({ id: "rules", rulesAsText }))
    .answerWith(`PUT ${RULES}`, () => new Response(null, { status: 204 }));
  return { network, ...(await import("../../src/rules/saving.ts")) };
}

test("rules are saved if they are stored as they were read", async () => {
  const { network, saveRules } = await openRules("old");
  expect(await saveRules("old", "mine")).toMatchObject({ rulesAsText: "mine" });
  expect(network.callsTo(`PUT ${RULES}`).map(({ body }) => body)).toEqual([{ id: "rules", rulesAsText: "mine" }]);
});

test("rules that somebody else has changed meanwhile are not overwritten", async () => {
  const { network, saveRules } = await openRules("a colleague's");
  await expect(saveRules("old", "mine")).rejects.toMatchObject({ name: "Error", fields: [] });
  expect(network.callsTo(`PUT ${RULES}`)).toEqual([]);
});
