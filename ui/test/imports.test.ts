/** Imports: fields are protected, files are sent to be imported, tried before, and undone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { findIn } from "./keyboard.ts";
import {
  axeViolations,
  enterDesk,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  takeShot,
  waitUntilEqual,
} from "./library.ts";
import { createTitle, marcRecord } from "./records.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

async function choose(page: Page, name: string, buffer: Buffer, profile: string): Promise<void> {
  await page.locator("input[type=file]").setInputFiles([{ name, mimeType: "application/marc", buffer }]);
  await findIn(page.getByLabel("Job profile").first(), profile, profile);
}

test("a field is protected from imports", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/import/profiles/protection");
  await page.getByRole("button", { name: "Protect a field" }).press("Enter");
  await page.getByLabel("Field", { exact: true }).fill("590");
  await page.keyboard.press("Enter");
  await page.getByRole("rowheader", { name: /590/ }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("a file is sent with the job profile that was chosen, and one that is no MARC says so", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/import");
  await page.getByRole("button", { name: "Start import" }).press("Enter");
  await page.getByText("Choose a file first.").waitFor();
  await choose(page, "vendor.mrc", Buffer.from("no MARC"), "Default - Create instance and SRS MARC Bib");
  assert.deepEqual(await axeViolations(page), []);
  const sent = page.waitForResponse((response) => /\/files\/[0-9a-f-]+$/.test(response.url()));
  await page.getByRole("button", { name: "Start import" }).press("Enter");
  assert.equal((await sent).status(), 200);
  await page.getByRole("heading", { level: 1, name: "vendor.mrc" }).waitFor();
  await page.getByText("Completed with errors").waitFor();
});

/**
 * A job profile: a match by HRID, and an update that suppresses the title from discovery and sets its cataloged date.
 */
async function createUpdatingProfile(): Promise<string> {
  const add = async (kind: string, profile: object, addedRelations: object[] = []) => {
    const body = { profile, addedRelations, deletedRelations: [] };
    return (await library.call<{ id: string }>(`/data-import-profiles/${kind}`, body)).id;
  };
  const types = { incomingRecordType: "MARC_BIBLIOGRAPHIC", existingRecordType: "INSTANCE" };
  const value = (label: string, value: string) => ({ label, value });
  const from = (...fields: object[]) => ({ dataValueType: "VALUE_FROM_RECORD", fields });
  const detail = {
    ...types,
    incomingMatchExpression: from(
      value("field", "001"),
      value("indicator1", ""),
      value("indicator2", ""),
      value("recordSubfield", ""),
    ),
    matchCriterion: "EXACTLY_MATCHES",
    existingMatchExpression: from(value("field", "instance.hrid")),
  };
  const match = await add("matchProfiles", { name: "By 001", ...types, matchDetails: [detail] });
  const field = (name: string, more: object) => ({
    name,
    enabled: "true",
    path: `instance.${name}`,
    subfields: [],
    ...more,
  });
  const mappingFields = [
    field("discoverySuppress", { value: "", booleanFieldAction: "ALL_TRUE" }),
    field("catalogedDate", { value: '"2026-11-28"' }),
  ];
  const mappingDetails = { name: "instance", recordType: "INSTANCE", mappingFields };
  const mapping = await add("mappingProfiles", { name: "Hidden and catalogued", ...types, mappingDetails });
  const below = (detailProfileType: string, detailProfileId: string) => ({
    detailProfileType,
    detailProfileId,
    order: 0,
  });
  const action = await add("actionProfiles", { name: "Hide", action: "UPDATE", folioRecord: "INSTANCE" }, [
    { masterProfileType: "ACTION_PROFILE", ...below("MAPPING_PROFILE", mapping) },
  ]);
  await add("jobProfiles", { name: "Hide known titles", dataType: "MARC" }, [
    { masterProfileType: "JOB_PROFILE", ...below("MATCH_PROFILE", match) },
    {
      masterProfileType: "MATCH_PROFILE",
      masterProfileId: match,
      reactTo: "MATCH",
      ...below("ACTION_PROFILE", action),
    },
  ]);
  return "Hide known titles";
}

test("a job is tried, imported after a look at each field, and undone but for what somebody changed since", async () => {
  const page = await library.visit({ width: 1280, height: 1000 });
  await enterDesk(library, page, "/check-in");
  const profile = await createUpdatingProfile();
  const titles = await Promise.all(["Tides", "Winds"].map((title) => createTitle(library, title)));
  type Title = { hrid: string; title: string; discoverySuppress: boolean; staffSuppress: boolean };
  const read = (id = "") => library.call<Title>(`/inventory/instances/${id}`);
  const hrids = await Promise.all(titles.map(async (id) => (await read(id)).hrid));
  const record = (hrid: string) => marcRecord("am", `001 ${hrid}`, "245 10$aIt does not matter");
  await page.goto(`${library.address}/desk/import`);
  await choose(page, "known.mrc", Buffer.concat([...hrids, "unknown"].map(record)), profile);
  await page.getByRole("button", { name: "Trial run" }).press("Enter");
  await page.getByText("This is a trial").waitFor();
  await page.getByRole("heading", { name: "Instance: would be changed" }).first().waitFor();
  await page
    .getByRole("row", { name: /^Cataloged on/ })
    .first()
    .getByText("2026-11-28")
    .waitFor();
  await takeShot(page, "trial");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal((await read(titles[0])).discoverySuppress, false);

  await page.getByRole("button", { name: "Run the import" }).press("Enter");
  await page.getByText("This is a trial").waitFor({ state: "detached" });
  await page.getByText("Completed", { exact: true }).waitFor();
  assert.deepEqual(
    (await Promise.all(titles.map(read))).map(({ discoverySuppress }) => discoverySuppress),
    [true, true],
  );
  await page.getByRole("checkbox", { name: "Show what was changed" }).press("Space");
  await page.getByRole("heading", { name: "Instance: before the import, and as it is now" }).first().waitFor();

  await library.call(`/inventory/instances/${titles[1]}`, { ...(await read(titles[1])), staffSuppress: true }, "PUT");
  await page.getByRole("button", { name: "Undo this import" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 records would be undone, 1 would stay.").waitFor();
  await dialog.getByText("The instance was changed since, or deleted.").waitFor();
  await dialog.getByText("No. 2").waitFor();
  await takeShot(page, "undo");
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: "Undo the import" }).press("Enter");
  await page.getByText("2 records undone, 1 stayed.").waitFor();
  await takeShot(page, "undone");
  assert.deepEqual(await axeViolations(page), []);
  await waitUntilEqual(async () => (await read(titles[0])).discoverySuppress, false);
  const other = await read(titles[1]);
  assert.deepEqual([other.staffSuppress, other.discoverySuppress], [true, true]);
  assert.equal(await page.getByRole("button", { name: "Undo this import" }).count(), 0);
});
