import { beforeEach, describe, expect, test } from "vitest";
import { Refused } from "../../src/api/http.ts";
import type { User } from "../../src/api/records.ts";
import { against, insist, type Standing } from "../../src/check-out/override/standing.ts";
import { session } from "../../src/shell/session.ts";

const standing: Standing = { blocks: ["patronBlock", "itemNotLoanableBlock"], comment: "agreed", userId: "me" };

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
    const answer = await insist(standing, async (blocks) => {
      tried.push(blocks);
      if (blocks === undefined) throw blocked("patronBlock");
      return "lent";
    });
    expect(answer).toBe("lent");
    expect(tried).toEqual([undefined, { patronBlock: {}, comment: "agreed" }]);
  });

  test("is not sent for what was lent without it", async () => {
    const tried: unknown[] = [];
    await insist(standing, async (blocks) => tried.push(blocks));
    expect(tried).toEqual([undefined]);
  });

  test("leaves alone what was refused for something else, too", () => {
    const other = { message: "Item is already checked out" };
    expect(against(new Refused(422, [...blocked("patronBlock").refusals, other]), standing)).toBeUndefined();
    expect(against(blocked("itemLimitBlock"), standing)).toBeUndefined();
    expect(against(new Error("lost"), standing)).toBeUndefined();
  });

  test("is not tried where the server says that the permission is missing", () => {
    expect(against(blocked("patronBlock", ["circulation.override-patron-block"]), standing)).toBeUndefined();
  });

  test("has a due date for what no policy dates", () => {
    const dated = { ...standing, dueDate: "2027-01-01T00:00:00Z" };
    expect(against(blocked("itemNotLoanableBlock"), dated)).toEqual({
      itemNotLoanableBlock: { dueDate: "2027-01-01T00:00:00Z" },
      comment: "agreed",
    });
  });

  test("ends where somebody else has signed in", () => {
    signIn("somebody else");
    expect(against(blocked("patronBlock"), standing)).toBeUndefined();
  });
});
