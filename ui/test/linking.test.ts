/** Links between titles, bound-with volumes, and copying and deleting records. By keyboard, as all of the desk. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  enterDesk,
  type Library,
  openLibrary,
  type Page,
  pressButton,
  row,
  submitForm,
  waitUntilEqual,
} from "./library.ts";
import { createHoldings, createItem, createTitle, loadItems } from "./records.ts";

const LENT_TO_EMILY = "37001000001185";

let library: Library;
let page: Page;
before(async () => {
  library = await openLibrary();
  page = await library.visit();
  await enterDesk(library, page, "/inventory");
});
after(() => library?.close());

const uniqueName = (name: string) => `${name} ${Math.random().toString(36).slice(2, 8)}`;
const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const dialog = () => page.getByRole("dialog");
const related = () => page.getByRole("region", { name: "Related titles" });

async function open(path: string, heading: string): Promise<void> {
  await page.goto(`${library.address}/desk${path}`);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

async function chooseFromMenu(menu: string, choice: string): Promise<void> {
  await pressButton(page, menu);
  await page.getByRole("menuitem", { name: choice, exact: true }).press("Enter");
}

/** Presses what sends the dialog, which goes when the server has taken it. */
async function answerDialog(name: string): Promise<void> {
  await dialog().getByRole("button", { name, exact: true }).press("Enter");
  await dialog().waitFor({ state: "detached" });
}

interface Linked {
  precedingTitles: { precedingInstanceId?: string; title: string; identifiers?: { value: string }[] }[];
  succeedingTitles: { succeedingInstanceId?: string }[];
  parentInstances: { superInstanceId: string }[];
  childInstances: { subInstanceId: string }[];
  discoverySuppress: boolean;
  staffSuppress: boolean;
}

const loadInstance = (id: string) => library.call<Linked>(`/inventory/instances/${id}`);

test("a title gets a preceding title of the catalogue, one that is not in it, and a parent title, and loses one again", async () => {
  const [older, newer, series] = [
    uniqueName("Tide tables"),
    uniqueName("Tides and tables"),
    uniqueName("Papers of the port"),
  ];
  const before = await createTitle(library, older);
  const above = await createTitle(library, series);
  const id = await createTitle(library, newer);
  await open(`/inventory/${id}/edit`, "Edit title");
  await page.getByText("Preceding, succeeding, parent and child titles").press("Enter");
  await pressButton(page, "Add a preceding title");
  await dialog().getByRole("textbox", { name: "Title" }).fill(older);
  await dialog().getByText(older).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await answerDialog("Add");
  await pressButton(page, "Add a preceding title that is not in the catalogue");
  await page.keyboard.type("Soundings");
  await field("ISSN").fill("1234-5678");
  await pressButton(page, "Add a parent title");
  await dialog().getByRole("textbox", { name: "Title" }).fill(series);
  await dialog().getByText(series).waitFor();
  await dialog()
    .getByRole("button", { name: /Relationship type/ })
    .press("Enter");
  await page.getByRole("option", { name: "monographic series" }).press("Enter");
  await answerDialog("Add");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 204);
  await related().getByRole("link", { name: series }).waitFor();
  await related().getByText("1234-5678 · not in the catalogue").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const now = await loadInstance(id);
  assert.deepEqual(
    now.precedingTitles.map((one) => one.precedingInstanceId ?? `${one.title} ${one.identifiers?.[0]?.value}`).sort(),
    [before, "Soundings 1234-5678"].sort(),
  );
  assert.equal(now.parentInstances[0]?.superInstanceId, above);

  await related().getByRole("link", { name: older }).press("Enter");
  await page.getByRole("heading", { level: 1, name: older }).waitFor();
  await related().getByRole("link", { name: newer }).waitFor();
  await page.getByRole("link", { name: "Edit title" }).press("Enter");
  await page.getByRole("button", { name: `Remove: Succeeding titles, ${newer}` }).press("Enter");
  assert.equal(await submitForm(page), 204);
  await page.getByRole("heading", { level: 1, name: older }).waitFor();
  await related().waitFor({ state: "detached" });
  assert.equal((await loadInstance(id)).precedingTitles.length, 1);
});

test("a link that somebody makes from the other title while a form is open is not lost when the form is saved", async () => {
  const [name, other] = [uniqueName("Held open"), uniqueName("Linked meanwhile")];
  const id = await createTitle(library, name);
  await open(`/inventory/${id}/edit`, "Edit title");
  await createTitle(library, other, { precedingTitles: [{ precedingInstanceId: id }] });
  await field("Index title").fill("Held, open");
  assert.equal(await submitForm(page), 204);
  await related().getByRole("link", { name: other }).waitFor();
  assert.equal((await loadInstance(id)).succeedingTitles.length, 1);
});

test("a volume that holds two titles is shown at both, and is taken apart again", async () => {
  const [tides, winds] = [uniqueName("A sermon on tides"), uniqueName("A sermon on winds")];
  const barcode = uniqueName("volume").replace(" ", "-");
  const first = await createTitle(library, tides);
  const second = await createTitle(library, winds);
  await createHoldings(library, second, "Harbour: Fiction", { callNumber: "BX 13" });
  const itemId = await createItem(library, await createHoldings(library, first, "Harbour: Fiction"), barcode);
  await open(`/inventory/${first}/items/${itemId}`, barcode);
  await chooseFromMenu("More", "Bind with another title");
  await dialog().getByRole("textbox", { name: "Title that is in this volume, too" }).fill(winds);
  await dialog()
    .getByRole("button", { name: /Harbour: Fiction · BX 13/ })
    .waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await answerDialog("Bind");
  await row(page, winds).waitFor();
  await row(page, tides).getByText("its own holdings").waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await chooseFromMenu("More", "Delete");
  await dialog().getByRole("button", { name: "Delete" }).press("Enter");
  await dialog().getByText("It is bound with other titles.").waitFor();
  await dialog().getByRole("button", { name: "Cancel" }).press("Enter");

  await open(`/inventory/${first}`, tides);
  await row(page, barcode).getByText(`bound with: ${winds}`).waitFor();
  await open(`/inventory/${second}`, winds);
  await row(page, barcode).getByText(`bound in: ${tides}`).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("link", { name: barcode }).press("Enter");
  await page.getByRole("heading", { level: 1, name: barcode }).waitFor();
  await pressButton(page, `Remove from this volume: ${winds}`);
  await answerDialog("Remove from this volume");
  await page.getByRole("heading", { name: "Bound with" }).waitFor({ state: "detached" });
});

test("a title, holdings and an item begin like others, without their barcodes and numbers", async () => {
  const name = uniqueName("To be copied");
  const barcode = uniqueName("copied").replace(" ", "-");
  const id = await createTitle(library, name, { subjects: [{ value: "Harbours" }] });
  const shelf = await createHoldings(library, id, "Harbour: Fiction", { callNumber: "QA 7", formerIds: ["old-7"] });
  const itemId = await createItem(library, shelf, barcode, { volume: "v.1", notes: [], accessionNumber: "77" });
  await open(`/inventory/${id}`, name);
  await chooseFromMenu("More", "Duplicate");
  await page.getByRole("heading", { level: 1, name: "New title" }).waitFor();
  await page.getByText("Filled in from another record").waitFor();
  await waitUntilEqual(() => field("Subject").inputValue(), "Harbours");
  await field("Title").fill(`${name}, second edition`);
  assert.equal(await submitForm(page), 201);
  await page.getByRole("heading", { level: 1, name: `${name}, second edition` }).waitFor();

  await open(`/inventory/${id}`, name);
  await chooseFromMenu("More: Harbour: Fiction", "Duplicate");
  await page.getByRole("heading", { level: 1, name: /Add holdings/ }).waitFor();
  await waitUntilEqual(() => field("Call number").inputValue(), "QA 7");
  assert.equal(await submitForm(page), 201);
  const { holdingsRecords } = await library.call<{ holdingsRecords: { hrid: string; formerIds: string[] }[] }>(
    `/holdings-storage/holdings?query=instanceId==${id}`,
  );
  assert.equal(new Set(holdingsRecords.map(({ hrid }) => hrid)).size, 2);
  assert.equal(holdingsRecords.filter(({ formerIds }) => formerIds?.length > 0).length, 1);

  await open(`/inventory/${id}/items/${itemId}`, barcode);
  await chooseFromMenu("More", "Duplicate");
  await field("Barcode").fill(`${barcode}-2`);
  await waitUntilEqual(() => field("Accession number").inputValue(), "");
  assert.equal(await submitForm(page), 201);
  await row(page, `${barcode}-2`).waitFor();
});

test("what is still needed is not deleted, and it is said why; what nobody needs goes", async () => {
  const [lent] = await loadItems(library, `barcode==${LENT_TO_EMILY}`);
  assert.ok(lent);
  const [pride] = (
    await library.call<{ holdingsRecords: { instanceId: string }[] }>(
      `/holdings-storage/holdings?query=id==${lent.holdingsRecordId}`,
    )
  ).holdingsRecords;
  await open(`/inventory/${pride?.instanceId}/items/${lent.id}`, LENT_TO_EMILY);
  await chooseFromMenu("More", "Delete");
  await dialog().getByRole("button", { name: "Delete" }).press("Enter");
  await dialog().getByText("It is on loan. Check it in first.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.equal((await loadItems(library, `barcode==${LENT_TO_EMILY}`)).length, 1);

  const name = uniqueName("To be deleted");
  const barcode = uniqueName("deleted").replace(" ", "-");
  const id = await createTitle(library, name);
  await createItem(library, await createHoldings(library, id, "Harbour: Fiction"), barcode);
  await open(`/inventory/${id}`, name);
  await chooseFromMenu("More", "Delete");
  await dialog().getByRole("button", { name: "Delete" }).press("Enter");
  await dialog().getByText("It still has holdings.").waitFor();
  await dialog().getByRole("button", { name: "Cancel" }).press("Enter");
  await chooseFromMenu("More: Harbour: Fiction", "Delete");
  await dialog().getByRole("button", { name: "Delete" }).press("Enter");
  await dialog().getByText("There are still items.").waitFor();
  await dialog().getByRole("button", { name: "Cancel" }).press("Enter");

  await page.getByRole("link", { name: barcode }).press("Enter");
  await page.getByRole("heading", { level: 1, name: barcode }).waitFor();
  await chooseFromMenu("More", "Delete");
  await answerDialog("Delete");
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await chooseFromMenu("More: Harbour: Fiction", "Delete");
  await answerDialog("Delete");
  await page.getByText("The library holds no copy of this.").waitFor();
  await chooseFromMenu("More", "Delete");
  await answerDialog("Delete");
  await page.getByRole("heading", { level: 1, name: "Inventory" }).waitFor();
  await assert.rejects(loadInstance(id), /404/);
});

test("a title that is marked for deletion is hidden from patrons and staff", async () => {
  const name = uniqueName("Marked");
  const id = await createTitle(library, name);
  await open(`/inventory/${id}`, name);
  await chooseFromMenu("More", "Mark for deletion");
  assert.deepEqual(await axeViolations(page), []);
  await answerDialog("Mark for deletion");
  await page.getByText("Suppressed from discovery").first().waitFor();
  await page.getByText("Staff suppressed").first().waitFor();
  const { discoverySuppress, staffSuppress } = await loadInstance(id);
  assert.deepEqual([discoverySuppress, staffSuppress], [true, true]);
});
