/** The settings of the LDAP directory, with one that takes connections and never answers. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { checkPage, type Library, openDesk, openLibrary, submitForm } from "./library.ts";

let library: Library;
let silent: Server;
const connections = new Set<Socket>();
before(async () => {
  library = await openLibrary();
  silent = createServer((socket) => {
    connections.add(socket);
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
});
after(async () => {
  for (const socket of connections) socket.destroy();
  silent?.close();
  await library?.close();
});

test("an administrator sets it up by keyboard, and who has no password here is told that it does not answer", async () => {
  const url = `ldap://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const page = await library.visit();
  await openDesk(library, page, "/settings?query=DN");
  await page.getByRole("link", { name: "LDAP directory" }).press("Enter");
  await page.getByLabel("Address", { exact: true }).fill("https://ldap.example.org");
  await page.getByLabel("Name of the entry (DN)").fill("uid={value},dc=example,dc=org");
  await page.getByRole("checkbox", { name: "The directory checks passwords" }).press("Space");
  await page.getByRole("checkbox", { name: "Without encryption" }).press("Space");
  assert.equal(await submitForm(page), 422);
  await page.getByText("The server does not take this: https://ldap.example.org is not like").waitFor();
  await checkPage(page, "the settings with what is wrong in them");
  await page.getByLabel("Address", { exact: true }).fill(url);
  assert.equal(await submitForm(page), 200);
  await page.getByRole("status").filter({ hasText: "Saved." }).first().waitFor();
  await page.getByLabel("Account that searches (DN)").fill("cn=reader,dc=example,dc=org");
  await page.getByLabel("Password of the account").fill("A secret of theirs");
  await page.getByRole("checkbox", { name: "The directory checks passwords" }).press("Space");
  assert.equal(await submitForm(page), 200);
  await page.getByText("One is stored and never shown.").waitFor();
  await page.reload();
  await page.getByText("One is stored and never shown.").waitFor();
  assert.ok(!(await page.content()).includes("A secret of theirs"));
  await checkPage(page, "the settings");

  const settings = { active: true, url, unencrypted: true, userDn: "uid={value},dc=example,dc=org", bindPassword: "" };
  await library.call("/octavo/ldap/settings", settings, "PUT");
  await library.call("/users", {
    id: randomUUID(),
    username: "member",
    active: true,
    personal: { lastName: "Member" },
  });
  const other = await library.visit();
  await other.goto(`${library.address}/desk`);
  await other.getByLabel("User name").fill("member");
  await other.getByLabel("Password").fill("Twelve-letters-1");
  await other.keyboard.press("Enter");
  await other
    .getByRole("alert")
    .filter({ hasText: "The directory that checks your password does not answer" })
    .waitFor();
});
