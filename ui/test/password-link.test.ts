/** A link by e-mail, with which somebody chooses a password of their own. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  pressButton,
  submitForm,
} from "./library.ts";

const STAFF = "3684a786-6671-4268-8ed0-9db82ebca60b";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

async function createUser(username: string): Promise<string> {
  const personal = { lastName: "Newcomer", email: `${username}@example.org`, preferredContactTypeId: "002" };
  const user = { id: randomUUID(), username, active: true, patronGroup: STAFF, personal };
  await library.call("/users", user);
  return user.id;
}

/** The page of the desk to which the link leads where a library has set it so. */
async function createPasswordLink(userId: string): Promise<string> {
  const { link } = await library.call<{ link: string }>("/bl-users/password-reset/link", { userId });
  return link.replace(/^.*\/reset-password/, `${library.address}/desk/new-password`);
}

async function choose(page: Page, password: string): Promise<number> {
  await page.getByLabel("New password").fill(password);
  return submitForm(page, "Set this password");
}

test("whoever got a link chooses a password that the library's rules allow, once", async () => {
  const link = await createPasswordLink(await createUser("linked"));
  const page = await library.visit({ width: 375, height: 740 });
  await page.goto(link);
  await page.getByRole("heading", { name: "Choose a password" }).waitFor();
  await page.getByLabel("New password").waitFor();
  await checkPage(page, "the page of the link");
  assert.equal(await choose(page, "short"), 422);
  await page.getByText("At least eight characters.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await choose(page, "Quite-l0ng-enough"), 204);
  await page.getByText("Your new password is valid from now on.").waitFor();
  await library.call("/authn/login", { username: "linked", password: "Quite-l0ng-enough" });
  await page.getByRole("link", { name: "Sign in" }).press("Enter");
  await page.getByLabel("User name").waitFor();
  await page.goto(link);
  await page.getByText("This link has been used already").waitFor();
  assert.equal(await page.getByLabel("New password").count(), 0);
});

test("staff send a link, and somebody who is signed in may follow one", async () => {
  const id = await createUser("forgetful");
  const page = await library.visit();
  await openDesk(library, page, `/patrons/${id}?show=permissions`);
  await pressButton(page, "Send a link");
  await page.getByRole("dialog").getByText("It goes to forgetful@example.org").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const answer = page.waitForResponse(/password-reset\/link$/);
  await page.getByRole("dialog").getByRole("button", { name: "Send a link" }).press("Enter");
  assert.equal((await answer).status(), 200);
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const query = encodeURIComponent('to=="forgetful@example.org"');
  const { emailEntity } = await library.call<{ emailEntity: { body: string }[] }>(`/email?query=${query}`);
  assert.equal(emailEntity.length, 1);
  assert.ok(emailEntity[0]?.body.includes(`/reset-password/`), emailEntity[0]?.body);
  await page.goto(await createPasswordLink(id));
  assert.equal(await choose(page, "Quite-l0ng-enough"), 204);
  await library.call("/authn/login", { username: "forgetful", password: "Quite-l0ng-enough" });
});
