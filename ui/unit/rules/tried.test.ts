import { expect, test } from "vitest";
import { changedPolicies, type Decision } from "../../src/rules/tried.ts";

const side = (loanPolicyId: string, overdueFinePolicyId = "o1"): Decision => ({
  line: 3,
  loanPolicyId,
  overdueFinePolicyId,
  lostItemPolicyId: "i1",
});

const things = [
  { id: "l1", name: "One week", letter: "l" },
  { id: "l2", name: "Three weeks", letter: "l" },
  { id: "o2", name: "Ten cents", letter: "o" },
];

test("a loan tells from which policy to which it would go, by their names; an id without a name stays one", () => {
  expect(changedPolicies({ before: side("l1"), after: side("l2") }, things)).toEqual([
    { from: "One week", to: "Three weeks" },
  ]);
  expect(changedPolicies({ before: side("l1"), after: side("l1", "o2") }, things)).toEqual([
    { from: "o1", to: "Ten cents" },
  ]);
  expect(changedPolicies({ before: side("l1"), after: side("l1") }, things)).toEqual([]);
});
