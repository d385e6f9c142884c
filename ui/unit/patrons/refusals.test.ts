import { expect, test } from "vitest";
import { Refused } from "../../src/api/http.ts";
import { findProblem } from "../../src/patrons/editing/refusals.ts";

const refused = (message: string, key?: string, status = 422) =>
  new Refused(status, [{ message, ...(key && { parameters: [{ key }] }) }]);

test.each([
  [refused("This barcode has already been taken", "barcode"), "barcode"],
  [refused("User with this username already exists", undefined, 400), "username"],
  [refused("duplicate value", "lower(f_unaccent(jsonb ->> 'externalSystemId'::text"), "externalSystemId"],
  [refused("Users are limited to one address per addresstype", undefined, 400), "personal.addresses"],
  [refused("All addresses types defined for users must be existing", undefined, 400), "personal.addresses"],
  [refused("Cannot add 1. Patron group not found", undefined, 400), "patronGroup"],
])("what the server refuses stands at its field: %s", (error, field) => {
  expect(findProblem(error)?.field).toBe(field);
});

test("what is about no field stands above the form", () => {
  expect(findProblem(refused("Something else"))).toBeUndefined();
  expect(findProblem(refused("This barcode has already been taken", undefined, 500))).toBeUndefined();
});
