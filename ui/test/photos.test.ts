/** Photos of patrons: switched on, taken by the camera or from a file, shown at check-out, and removed. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import {
  axeViolations,
  enterDesk,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  scan,
  submitForm,
} from "./library.ts";

const FACULTY = "503a81cd-6c26-400f-b620-14c08943697c";
const CAMERA = "--use-fake-device-for-media-stream";
const ALLOWED = "--use-fake-ui-for-media-stream";

let library: Library;
before(async () => {
  library = await openLibrary();
  await switchPictures(true);
});
after(() => library?.close());

async function switchPictures(enabled: boolean): Promise<void> {
  const entry = await library.call<{ id: string }>("/users/configurations/entry");
  await library.call(`/users/configurations/entry/${entry.id}`, { ...entry, enabled, maxFileSize: 4 }, "PUT");
}

interface User {
  id: string;
  barcode: string;
  personal: { profilePictureLink?: string; [member: string]: unknown };
}

async function patron(lastName: string): Promise<User> {
  const [id, barcode] = [randomUUID(), `2700${Math.floor(Math.random() * 1e9)}`];
  const personal = { lastName, email: "x@example.org", preferredContactTypeId: "002" };
  const user = { id, barcode, active: true, type: "patron", patronGroup: FACULTY, personal };
  await library.call("/users", user);
  return user;
}

const loadPictureLink = async ({ id }: User) => (await library.call<User>(`/users/${id}`)).personal.profilePictureLink;

const isKept = (link: string) =>
  library.call(`/users/profile-picture/${link}`).then(
    () => true,
    () => false,
  );

/** How large the picture is that stands in a part of the page. */
const shownIn = async (page: Page, place: string) => {
  const image = page.locator(`${place} .portrait img`).first();
  await image.waitFor();
  return image.evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight]);
};

test("a photo is taken by the camera, cut, saved with the patron, and seen at check-out", async () => {
  const user = await patron("Camera");
  const page = await library.visit(undefined, CAMERA, ALLOWED);
  await openDesk(library, page, `/patrons/${user.id}/edit`);
  await page.getByRole("button", { name: "Take a photo" }).press("Enter");
  await page.waitForFunction(() => (document.querySelector("video")?.videoWidth ?? 0) > 0);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Take it now" }).press("Enter");
  await page.getByRole("slider", { name: "Larger" }).fill("2");
  await page.getByRole("img", { name: "Part of the picture that is stored" }).press("ArrowRight");
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Use this photo" }).press("Enter");
  await page.getByText("The new photo is kept when you save.").waitFor();
  assert.equal(await loadPictureLink(user), undefined);
  assert.equal(await submitForm(page), 201);
  await page.getByRole("heading", { name: "Camera", exact: true }).waitFor();
  assert.deepEqual(await shownIn(page, ".who"), [480, 480]);

  await page.goto(`${library.address}/desk/check-out`);
  await page.locator("main input:focus").waitFor();
  await scan(page, user.barcode);
  assert.deepEqual(await shownIn(page, "aside.patron"), [480, 480]);
});

test("a file is taken too, its photo takes the place of the one before, and removing it leaves none", async () => {
  const user = await patron("File");
  const page = await library.visit();
  await enterDesk(library, page);
  const links: string[] = [];
  for (const colour of ["red", "blue"]) {
    await page.goto(`${library.address}/desk/patrons/${user.id}/edit`);
    await page.getByRole("heading", { name: "Photo" }).waitFor();
    await page.locator("input[type=file]").setInputFiles(await picture(page, colour));
    await page.getByRole("button", { name: "Use this photo" }).press("Enter");
    await page.getByText("The new photo is kept when you save.").waitFor();
    assert.equal(await submitForm(page), 201);
    await page.getByRole("heading", { name: "File", exact: true }).waitFor();
    links.push((await loadPictureLink(user)) ?? "");
  }
  const [first = "", second = ""] = links;
  assert.notEqual(first, second);
  assert.deepEqual([await isKept(first), await isKept(second)], [false, true]);

  await page.goto(`${library.address}/desk/patrons/${user.id}/edit`);
  await page.getByRole("button", { name: "Remove the photo" }).press("Enter");
  assert.equal(await submitForm(page), 204);
  await page.getByRole("heading", { name: "File", exact: true }).waitFor();
  assert.equal(await loadPictureLink(user), undefined);
  await waitUntil(async () => !(await isKept(second)));
});

test("whoever denies the camera, or has none, is told so and may choose a file", async () => {
  const user = await patron("Denied");
  const page = await library.visit();
  // A Chromium without a window asks nobody who could deny it: the answer is put in.
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException("Permission denied", "NotAllowedError"));
  });
  await openDesk(library, page, `/patrons/${user.id}/edit`);
  await page.getByRole("button", { name: "Take a photo" }).press("Enter");
  await page.getByText(/The browser may not use the camera/).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Try again" }).waitFor();
  await dialog
    .locator("input[type=file]")
    .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await page.getByText(/This file is no picture/).waitFor();
});

test("photos are switched off and on in the settings, and the form has them only then", async () => {
  const user = await patron("Switched");
  const page = await library.visit();
  await openDesk(library, page, "/settings/photos");
  await page.getByRole("checkbox", { name: "Patrons may have photos" }).press("Space");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 204);
  await page.goto(`${library.address}/desk/patrons/${user.id}/edit`);
  await page.getByRole("heading", { name: "Card and account" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Take a photo" }).count(), 0);
  await switchPictures(true);
});

/** A PNG as a browser draws it, twice as wide as it is high. */
async function picture(page: Page, colour: string) {
  const address = await page.evaluate((colour) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 800, height: 400 });
    const pen = canvas.getContext("2d");
    if (pen) pen.fillStyle = colour;
    pen?.fillRect(0, 0, 800, 400);
    return canvas.toDataURL("image/png");
  }, colour);
  return { name: `${colour}.png`, mimeType: "image/png", buffer: Buffer.from(address.split(",")[1] ?? "", "base64") };
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if (await isSo()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.fail("it did not come so");
}
