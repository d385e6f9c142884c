import { beforeEach, describe, expect, test } from "vitest";
import { Refused } from "../../src/api/http.ts";
import type { User } from "../../src/api/records.ts";
import { blocksToOverride, tryWithOverride, type VisitOverride } from "../../src/check-out/override/standing.ts";
import { session } from "../../src/shell/session.ts";

const standing: VisitOverride = { blocks: ["patronBlock", "itemNotLoanableBlock"], comment: "agreed", userId: "me" };

const blocked = (name: string, missingPermissions: string[] = []) =>
  new Refused(422, [{ message: name, overridableBlock: { name, missingPermissions } }]);

function signIn(id: string): void {
  const member = { user: { id } as User, permissions: new Set<string>(), servicePoints: [], defaultServicePoint: "" };
  session.set({ is: "in", member, expired: false });
}

beforeEach(() => signIn("me"));

describe("what is overridden for a visit", () => {
  test("goes with a second attempt that names only what was refused, and why", async () => {
    const tried: unknown[] = [];
    const answer = await tryWithOverride(standing, async (blocks) => {
      tried.push(blocks);
      if (blocks === undefined) throw blocked("patronBlock");
      return "lent";
    });
    expect(answer).toBe("lent");
    expect(tried).toEqual([undefined, { patronBlock: {}, comment: "agreed" }]);
  });

  test("is not sent for what was lent without it", async () => {
    const tried: unknown[] = [];
    await tryWithOverride(standing, async (blocks) => tried.push(blocks));
    expect(tried).toEqual([undefined]);
  });

  test("leaves alone what was refused for something else, too", () => {
    const other = { message: "Item is already checked out" };
    expect(blocksToOverride(new Refused(422, [...blocked("patronBlock").refusals, other]), standing)).toBeUndefined();
    expect(blocksToOverride(blocked("itemLimitBlock"), standing)).toBeUndefined();
    expect(blocksToOverride(new Error("lost"), standing)).toBeUndefined();
  });

  test("is not tried where the server says that the permission is missing", () => {
    expect(blocksToOverride(blocked("patronBlock", ["circulation.override-patron-block"]), standing)).toBeUndefined();
  });

  test("has a due date for what no policy dates", () => {
    const dated = { ...standing, dueDate: "2027-01-01T00:00:00Z" };
    expect(blocksToOverride(blocked("itemNotLoanableBlock"), dated)).toEqual({
      itemNotLoanableBlock: { dueDate: "2027-01-01T00:00:00Z" },
      comment: "agreed",
    });
  });

  test("ends where somebody else has signed in", () => {
    signIn("somebody else");
    expect(blocksToOverride(blocked("patronBlock"), standing)).toBeUndefined();
  });
});
