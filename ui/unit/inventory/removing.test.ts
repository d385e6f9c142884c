import { expect, test } from "vitest";
import { Refused } from "../../src/api/http.ts";
import { translateDeleteError } from "../../src/inventory/removing/why-not.ts";
import { en } from "../../src/inventory/words/linked-en.ts";

test("what still needs a record is said in the desk's words, whether the server or its database names the table", () => {
  const told = (message: string) => translateDeleteError(new Refused(400, [{ message }]), en.remove);
  const holdings = { message: en.remove.needed.holdings_record };
  expect(
    told("Cannot delete instance.id = 1 because id is still referenced from table holdings_record."),
  ).toMatchObject(holdings);
  expect(
    told(
      'update or delete on table "instance" violates foreign key constraint "instanceid_instance_fkey" on table "holdings_record": Key (id)=(1) is still referenced from table "holdings_record".',
    ),
  ).toMatchObject(holdings);
  expect(told("Not found")).toMatchObject({ message: "Not found" });
});
