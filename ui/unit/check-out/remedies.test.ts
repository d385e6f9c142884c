import { describe, expect, test } from "vitest";
import type { Block } from "../../src/api/patrons.ts";
import type { Account, Loan, ManualBlock, User } from "../../src/api/records.ts";
import { findObstacles, hasNoObstacle } from "../../src/check-out/remedies/found.ts";

const user: User = { id: "1", barcode: "2", active: true, expirationDate: "2999-01-01T00:00:00Z" };
const nothing = { blocks: [], accounts: [], loans: [] };
const block = (id: string, more: Partial<Block> = {}): Block => ({
  id,
  message: "because",
  borrowing: true,
  renewals: false,
  requests: false,
  ended: false,
  ...more,
});
const loan = (id: string, dueDate: string) => ({ id, dueDate }) as Loan;
const account = (remaining: number) => ({ remaining }) as Account;

const BALANCE = "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a";
const CHARGED_OUT = "3d7c52dc-c732-4223-8bf8-e5917801386f";

describe("what keeps a patron from borrowing", () => {
  test("is nothing where nothing does", () => {
    expect(hasNoObstacle(findObstacles(user, nothing, []))).toBe(true);
  });

  test("an ended registration is one thing, an inactive account another", () => {
    const ended = findObstacles({ ...user, active: false, expirationDate: "2020-01-01T00:00:00Z" }, nothing, []);
    expect([ended.expired, ended.inactive]).toEqual([true, false]);
    const inactive = findObstacles({ ...user, active: false }, nothing, []);
    expect([inactive.expired, inactive.inactive]).toEqual([false, true]);
  });

  test("blocks of staff can be lifted, those of limits not; those against requests alone do not count", () => {
    const record = { id: "m" } as ManualBlock;
    const blocks = [block("m", { record }), block("a"), block("r", { borrowing: false })];
    const { manual, automated } = findObstacles(user, { ...nothing, blocks }, []);
    expect(manual.map(({ id }) => id)).toEqual(["m"]);
    expect(automated.map(({ id }) => id)).toEqual(["a"]);
  });

  test("money is asked for where the balance is the limit, items where they are", () => {
    const known = {
      accounts: [account(2), account(3)],
      loans: [loan("late", "2026-02-01T00:00:00Z"), loan("later", "2026-01-01T00:00:00Z")],
    };
    const money = findObstacles(user, { ...known, blocks: [block(BALANCE)] }, []);
    expect([money.owed, money.loans.length]).toEqual([5, 0]);
    const items = findObstacles(user, { ...known, blocks: [block(CHARGED_OUT)] }, []);
    expect([items.owed, items.loans.map(({ id }) => id)]).toEqual([0, ["later", "late"]]);
  });

  test("a limit of the loan policy is known by what was refused for it", () => {
    const refusal = { message: "Patron has reached maximum limit of 2 items for loan type" };
    const found = findObstacles(user, nothing, [refusal, refusal]);
    expect(found.loanLimits).toEqual([refusal.message]);
    expect(hasNoObstacle(found)).toBe(false);
  });
});
