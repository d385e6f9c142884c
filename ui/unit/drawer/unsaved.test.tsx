/** The count of a cash drawer, while it is typed. */

import { expect, test } from "vitest";
import { Drawer } from "../../src/drawer/drawer.tsx";
import { setDrawer } from "../../src/drawer/drawers.ts";
import { en } from "../../src/drawer/words/en.ts";
import { unsavedForm } from "../../src/parts/guarded-location.ts";
import { Network } from "../browser.ts";
import { answerWith, fieldOf, press, settled, show, type } from "../screen.tsx";

const PAYMENTS = { feefineactions: [], totalRecords: 0 };

async function openDrawer(): Promise<Network> {
  const network = new Network();
  answerWith(network, { "GET /feefineactions": PAYMENTS });
  setDrawer("harbour", { opened: { at: "2026-11-30T08:00:00Z", by: "Lee", float: 50 } });
  await show("/drawer", <Drawer servicePoint="harbour" />);
  return network;
}

test("whoever leaves the page or chooses another service point is asked", async () => {
  await openDrawer();
  expect(unsavedForm.get().page).toBeUndefined();
  await type(fieldOf(en.close.counted), "61.50");
  expect(unsavedForm.get()).toMatchObject({ page: "/desk/drawer", isOfServicePoint: true });
});

test("the count stays when the payments cannot be loaded as the drawer is closed", async () => {
  const network = await openDrawer();
  await type(fieldOf(en.close.counted), "61.50");
  await type(fieldOf(en.close.remark), "A torn note");
  network.isUp = false;
  await press(en.close.submit);
  await settled();
  expect(fieldOf(en.close.counted).value).toBe("61.50");
  expect(fieldOf(en.close.remark).value).toBe("A torn note");
});
