/** `npm run screenshots`: every page of the desk at three widths, into `docs/desk`, from a fresh demo library. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { enter, type Library, openLibrary, type Page, row, SERVICE_POINT, scan } from "./library.ts";

const FREYA = "27001000000445";
const BELOVED = "37001000000096";
const FILM = "37001000000765";
const REFERENCE = "37001000000294";
const LENT_TO_EMILY = "37001000001185";

const WIDTHS = { phone: [375, 740], tablet: [820, 1100], desk: [1280, 800] } as const;

const folder = resolve(process.env.OCTAVO_SCREENSHOTS ?? "../docs/desk");
// What a person looks at who has no viewer for WebP.
const format = process.env.OCTAVO_SCREENSHOTS ? "png" : "webp";

interface Shot {
  name: string;
  path?: string;
  /** What is done on the page before it is taken. */
  prepare?: (page: Page) => Promise<unknown>;
}

interface Known {
  patron: string;
  debtor: string;
  title: string;
}

const shots = ({ patron, debtor, title }: Known): Shot[] => [
  {
    name: "check-out",
    path: "/check-out",
    prepare: async (page) => {
      await scan(page, FREYA);
      await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
      await scan(page, BELOVED, FILM, REFERENCE);
      await row(page, REFERENCE).getByText("Not checked out").waitFor();
    },
  },
  {
    name: "check-in",
    path: "/check-in",
    prepare: async (page) => {
      await scan(page, BELOVED, FILM, LENT_TO_EMILY);
      await page.getByText("3 items in this pile").waitFor();
    },
  },
  { name: "patrons", path: "/patrons?query=a" },
  { name: "patron", path: `/patrons/${patron}` },
  { name: "patron-requests", path: `/patrons/${patron}?show=requests` },
  { name: "patron-fees", path: `/patrons/${debtor}?show=fees` },
  { name: "patron-blocks", path: `/patrons/${patron}?show=blocks` },
  { name: "inventory", path: "/inventory?query=the" },
  { name: "title", path: `/inventory/${title}` },
  {
    name: "edit-title",
    path: `/inventory/${title}`,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Edit title" }).press("Enter");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "edit-holdings",
    path: `/inventory/${title}`,
    prepare: async (page) => {
      await page
        .getByRole("button", { name: /^Edit holdings/ })
        .first()
        .press("Enter");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "requests", path: "/requests" },
  { name: "hold-shelf", path: "/requests?view=shelf" },
  { name: "to-fetch", path: "/requests?view=pick" },
  { name: "rules", path: "/rules" },
  { name: "today", path: "/today" },
  { name: "lab", path: "/lab?with=check-in-check-out-before" },
  {
    name: "offline",
    path: "/check-out",
    prepare: async (page) => {
      await page.waitForFunction(async () => (await (await caches.open("octavo-luggage")).keys()).length === 2);
      await scan(page, FREYA);
      await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
      await page.context().setOffline(true);
      await scan(page, BELOVED, FILM, REFERENCE);
      await row(page, BELOVED).getByText("expected: due").waitFor();
    },
  },
];

const library = await openLibrary();
try {
  mkdirSync(folder, { recursive: true });
  const known = await arrange(library);
  for (const [width, [wide, high]] of Object.entries(WIDTHS)) {
    const page = await library.visit({ width: wide, height: high });
    await page.goto(`${library.address}/desk`);
    await page.getByRole("button", { name: "Look around the demo library" }).waitFor();
    await take(page, `sign-in-${width}`);
    await page.getByRole("button", { name: "Look around the demo library" }).press("Enter");
    await page.getByRole("button", { name: SERVICE_POINT }).waitFor();
    await take(page, `service-point-${width}`);
    await page.context().close();
    for (const { name, path, prepare } of shots(known)) {
      const page = await library.visit({ width: wide, height: high });
      await enter(library, page);
      await page.goto(`${library.address}/desk${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
      await page.waitForLoadState("networkidle");
      await prepare?.(page);
      await take(page, `${name}-${width}`);
      await page.context().close();
    }
  }
} finally {
  await library.close();
}

/** Two who wait for a title, and somebody who owes. */
async function arrange(library: Library): Promise<Known> {
  const one = async <T>(path: string, key: string, query: string): Promise<T> => {
    const answer = await library.call<Record<string, T[]>>(`${path}?limit=1&query=${encodeURIComponent(query)}`);
    const [found] = answer[key] ?? [];
    if (found === undefined) throw new Error(`${path} has nothing for ${query}`);
    return found;
  };
  const item = await one<{ id: string; holdingsRecordId: string }>(
    "/inventory/items",
    "items",
    `barcode=="${LENT_TO_EMILY}"`,
  );
  const { instanceId } = await library.call<{ instanceId: string }>(
    `/holdings-storage/holdings/${item.holdingsRecordId}`,
  );
  const points = await one<{ id: string }>("/service-points", "servicepoints", `name=="${SERVICE_POINT}"`);
  for (const barcode of [FREYA, "27001000000015"]) {
    const { id } = await one<{ id: string }>("/users", "users", `barcode=="${barcode}"`);
    await library.call("/circulation/requests", {
      requestLevel: "Item",
      requestType: "Hold",
      instanceId,
      holdingsRecordId: item.holdingsRecordId,
      itemId: item.id,
      requesterId: id,
      fulfillmentPreference: "Hold Shelf",
      pickupServicePointId: points.id,
      requestDate: new Date().toISOString(),
    });
  }
  const loan = await one<{ userId: string }>("/circulation/loans", "loans", 'status.name=="Open" sortBy dueDate');
  const late = await one<{ item: { barcode: string } }>(
    "/circulation/loans",
    "loans",
    `status.name=="Open" and dueDate<"${new Date().toISOString()}" and userId=="${loan.userId}" sortBy dueDate`,
  );
  await library.call("/circulation/check-in-by-barcode", {
    itemBarcode: late.item.barcode,
    servicePointId: points.id,
    checkInDate: new Date().toISOString(),
  });
  const borrower = await one<{ userId: string }>(
    "/circulation/loans",
    "loans",
    `status.name=="Open" and dueDate>"${new Date().toISOString()}"`,
  );
  return { patron: borrower.userId, debtor: loan.userId, title: instanceId };
}

async function take(page: Page, name: string): Promise<void> {
  // Nothing moves any more.
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForTimeout(250);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format, quality: 60 });
  writeFileSync(join(folder, `${name}.${format}`), Buffer.from(data, "base64"));
}
