import { expect, test } from "vitest";
import type { Title } from "../../src/api/inventory.ts";
import { titleColumns } from "../../src/inventory/columns.ts";
import { en } from "../../src/inventory/words/en.ts";
import { toCsv } from "../../src/parts/csv.ts";

const TITLE: Title = {
  id: "1",
  hrid: "in1",
  title: '=HYPERLINK("x"), or not',
  source: "FOLIO",
  instanceTypeId: "2",
  contributors: [
    { name: "Austen, Jane", contributorNameTypeId: "3" },
    { name: "Jones, Vivien", contributorNameTypeId: "3" },
  ],
  publication: [{ publisher: "Penguin", dateOfPublication: "2003" }],
  identifiers: [
    { value: "9780141439518", identifierTypeId: "8261054f-be78-422d-bd51-4ed9f33c3422" },
    { value: "ocm1", identifierTypeId: "4" },
  ],
  items: [
    { status: { name: "Available" }, effectiveCallNumberComponents: { prefix: "REF", callNumber: "PR 1" } },
    { status: { name: "Checked out" }, effectiveCallNumberComponents: { prefix: "REF", callNumber: "PR 1" } },
  ],
};

test("a table of titles has a heading, quotes what it must, and no formulas", () => {
  const [heading, line, end] = toCsv(titleColumns(en.export), [TITLE]).split("\r\n");
  expect(heading).toBe("Title,Contributors,Publisher,Date,ISBN,Languages,Call numbers,Items,Available,HRID,UUID");
  expect(line).toBe(
    '"\'=HYPERLINK(""x""), or not","Austen, Jane; Jones, Vivien",Penguin,2003,9780141439518,,REF PR 1,2,1,in1,1',
  );
  expect(end).toBe("");
});
