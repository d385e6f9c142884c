/** Webhooks: set up by keyboard, and what their receiver takes and does not take. */

import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import {
  checkPage,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  pressButton,
  submitForm,
  waitUntilEqual,
} from "./library.ts";

interface Receiver {
  server: Server;
  url: string;
  status: number;
  /** The events of each request. */
  got: { type: string }[][];
}

async function startReceiver(): Promise<Receiver> {
  const receiver = { status: 204, got: [] } as unknown as Receiver;
  receiver.server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      if (receiver.status < 300) receiver.got.push(JSON.parse(body).data.events);
      response.writeHead(receiver.status).end(receiver.status < 300 ? "" : "not today");
    });
  });
  await new Promise<void>((listening) => receiver.server.listen(0, "127.0.0.1", listening));
  receiver.url = `http://127.0.0.1:${(receiver.server.address() as AddressInfo).port}/hook`;
  return receiver;
}

let library: Library;
let receiver: Receiver;
before(async () => {
  library = await openLibrary("--private-webhooks", "on");
  receiver = await startReceiver();
});
after(async () => {
  receiver?.server.closeAllConnections();
  receiver?.server.close();
  await library?.close();
});

/** Lends something to somebody, or takes it back. */
async function causeEvent(): Promise<void> {
  const [itemBarcode] = await library.lendable();
  const body = {
    itemBarcode,
    servicePointId: "3a40852d-49fd-4df2-a1f9-6e2641a6e91f",
    checkInDate: "2026-11-20T12:00:00Z",
  };
  const users = await library.call<{ users: { barcode: string }[] }>("/users?query=active==true&limit=50");
  const barcodes = users.users.map(({ barcode }) => barcode).filter(Boolean);
  for (const userBarcode of barcodes) {
    try {
      await library.call("/circulation/check-out-by-barcode", { ...body, userBarcode });
      return;
    } catch {
      // Not everybody may borrow it.
    }
  }
  assert.fail("nobody may borrow anything");
}

const waitForText = (page: Page, text: string) => page.getByText(text).first().waitFor();

test("a webhook is set up by keyboard and is sent what happens", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/webhooks");
  await page.getByRole("link", { name: "New webhook" }).press("Enter");
  await page.getByLabel("Name").fill("Catalogue");
  await page.getByLabel("Address").fill("ftp://example.org");
  assert.equal(await submitForm(page), 422);
  await checkPage(page, "the form with what is wrong in it");
  await page.getByLabel("Address").fill(receiver.url);
  assert.equal(await submitForm(page), 201);
  await page.goto(`${library.address}/desk/settings/webhooks`);
  await page.getByRole("link", { name: "Catalogue" }).press("Enter");
  await causeEvent();
  await waitForText(page, "The webhook has no secret to sign with");
  await pressButton(page, "Make a new secret");
  await page.getByText(/^whsec_/).waitFor();
  await checkPage(page, "a webhook that fails");
  await pressButton(page, "Try now");
  await waitForText(page, "Sent: 1. Waiting: 0.");
  await waitUntilEqual(async () => receiver.got.flat().map(({ type }) => type), ["ITEM_CHECKED_OUT"]);
  await page.reload();
  await waitForText(page, "Sent: 1. Waiting: 0.");
  assert.ok(!(await page.content()).includes("whsec_"));
});

test("an event that the receiver refuses again and again can be sent later", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/webhooks");
  await page.getByRole("link", { name: "Catalogue" }).press("Enter");
  receiver.status = 422;
  await causeEvent();
  await waitForText(page, "The receiver answered 422: not today");
  await page.getByRole("heading", { name: "Refused events" }).waitFor({ timeout: 90_000 });
  await checkPage(page, "refused events");
  await pressButton(page, "Send again");
  await page.getByRole("alert").filter({ hasText: "The receiver answered 422" }).first().waitFor();
  receiver.status = 204;
  await pressButton(page, "Send again");
  await page.getByRole("heading", { name: "Refused events" }).waitFor({ state: "detached" });
  await waitUntilEqual(async () => receiver.got.flat().length, 2);
});
