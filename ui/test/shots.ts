/** The pictures of the desk by name, and how each page is prepared before its picture is taken. */

import { randomUUID } from "node:crypto";
import { findIn } from "./keyboard.ts";
import { enterDesk, type Library, type Page, row, SERVICE_POINT, scan } from "./library.ts";
import { marcRecord } from "./records.ts";
import { type SpokenLanguage, type SpokenWords, spokenWords } from "./spoken.ts";

const FREYA = "27001000000445";
const BELOVED = "37001000000096";
const FILM = "37001000000765";
const REFERENCE = "37001000000294";
const LENT_TO_EMILY = "37001000001185";

const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";
const HARBOUR_HOURS = "3325b783-596d-5142-a7c2-0b917963add2";
const THREE_WEEKS = "058327ca-5f61-5120-85d2-095e0a5eb877";
const LOANS_OUT = "3d7c52dc-c732-4223-8bf8-e5917801386f";
const RECEIPT = "f192568f-f53e-5c47-b3ed-637abc7efc59";
const HOLD_SLIP = "6a6e72f0-69da-4b4c-8254-7154679e9d88";

export interface Shot {
  name: string;
  path: string;
  /** Prepares the page before its picture is taken. */
  prepare?: (page: Page) => Promise<unknown>;
  /** A selector of the element at the top of the picture, if it is not the top of the page. */
  from?: string;
}

/** The records that the pictures show. */
export interface ShotRecords {
  patron: string;
  debtor: string;
  title: string;
  /** The page of an import job, of the authority that it made, and of the title that another one made. */
  job: string;
  authority: string;
  imported: string;
  /** Copies on the shelf. */
  barcodes: string[];
}

const waitForDialog = (page: Page) => page.getByRole("dialog").waitFor();
const openDialog = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().press("Enter");
  await waitForDialog(page);
};
/** Follows a link, and waits for the page. */
const followLink = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("link", { name }).first().press("Enter");
  await page.getByRole("heading", { level: 1 }).waitFor();
};
/** The link to the first item of a title, which has its barcode as text. */
const COPY_BARCODE = /^37001\d+/;

/** A browser keeps only one list of a name, so each list gets a number. */
let displays = 0;

/** Makes a list of scanned items. */
const scanIntoList =
  (barcodes: string[], { lists: { carts }, table }: SpokenWords) =>
  async (page: Page) => {
    await page.getByRole("button", { name: carts.make }).press("Enter");
    await page.getByRole("dialog").getByRole("textbox").fill(`Display in the hall ${++displays}`);
    await page.getByRole("dialog").getByRole("button", { name: carts.make }).press("Enter");
    for (const [place, barcode] of barcodes.entries()) {
      await page.getByLabel(carts.scan).fill(barcode);
      await page.keyboard.press("Enter");
      await page.getByText(table.rows(place + 1), { exact: true }).waitFor();
    }
  };
/** Chooses a photo from a file, of which a square is to be cut. */
async function cutPhoto(page: Page): Promise<void> {
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 800;
    canvas.height = 600;
    const pen = canvas.getContext("2d");
    if (pen) {
      pen.fillStyle = "steelblue";
      pen.fillRect(0, 0, 800, 600);
      pen.fillStyle = "bisque";
      pen.arc(400, 260, 150, 0, 7);
      pen.fill();
    }
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  const buffer = Buffer.from(drawn, "base64");
  await page.locator("input[type=file]").setInputFiles([{ name: "photo.png", mimeType: "image/png", buffer }]);
  await waitForDialog(page);
}

export const shots = (
  { patron, debtor, title, job, authority, imported, barcodes }: ShotRecords,
  language: SpokenLanguage = "en",
  { desk, lab, records }: SpokenWords = spokenWords[language],
): Shot[] => [
  { name: "check-out-empty", path: "/check-out" },
  {
    name: "check-out",
    path: "/check-out",
    prepare: async (page) => {
      await scan(page, FREYA);
      await page.getByRole("textbox", { name: desk.checkOut.item }).waitFor();
      await scan(page, BELOVED, FILM, REFERENCE);
      await row(page, REFERENCE).getByText(desk.checkOut.refused).waitFor();
    },
  },
  {
    name: "check-in",
    path: "/check-in",
    prepare: async (page) => {
      await scan(page, BELOVED, FILM, LENT_TO_EMILY);
      await page.getByText(desk.checkIn.pile(3)).waitFor();
      await row(page, LENT_TO_EMILY).first().waitFor();
    },
  },
  { name: "patrons", path: "/patrons?query=a" },
  { name: "patron", path: `/patrons/${patron}` },
  { name: "patron-requests", path: `/patrons/${patron}?show=requests` },
  { name: "patron-fees", path: `/patrons/${debtor}?show=fees` },
  { name: "pay", path: `/patrons/${debtor}?show=fees`, prepare: openDialog(desk.fees.actions.pay) },
  { name: "patron-blocks", path: `/patrons/${patron}?show=blocks` },
  { name: "patron-permissions", path: `/patrons/${patron}?show=permissions` },
  { name: "patron-notes", path: `/patrons/${patron}?show=notes` },
  { name: "patron-proxies", path: `/patrons/${patron}?show=proxies` },
  { name: "register-patron", path: "/patrons/new" },
  { name: "edit-patron", path: `/patrons/${patron}/edit` },
  { name: "photo", path: `/patrons/${patron}/edit`, prepare: cutPhoto },
  { name: "inventory", path: "/inventory?query=the&language=eng" },
  { name: "browse", path: "/inventory?tab=call-numbers&from=PR+4034" },
  { name: "browse-subjects", path: "/inventory?tab=subjects&from=love" },
  { name: "title", path: `/inventory/${title}` },
  { name: "edit-title", path: `/inventory/${title}/edit` },
  { name: "edit-holdings", path: `/inventory/${title}`, prepare: followLink(records.editHoldings) },
  { name: "new-title", path: "/inventory/new" },
  { name: "new-holdings", path: `/inventory/${title}`, prepare: followLink(records.newHoldings) },
  { name: "new-copy", path: `/inventory/${title}`, prepare: followLink(records.newItems) },
  { name: "item", path: `/inventory/${title}`, prepare: followLink(COPY_BARCODE) },
  {
    name: "edit-item",
    path: `/inventory/${title}`,
    prepare: async (page) => {
      await followLink(COPY_BARCODE)(page);
      await followLink(records.editItem)(page);
    },
  },
  { name: "marc-editor", path: `/marc/bib/${imported}` },
  { name: "marc-view", path: `/marc/bib/${imported}/view` },
  { name: "new-authority", path: "/marc/authority/new" },
  { name: "authorities", path: "/authorities?query=defoe" },
  { name: "browse-headings", path: "/authorities?tab=browse&from=defoe" },
  { name: "authority", path: authority },
  { name: "authority-changes", path: "/authorities/changes" },
  { name: "imports", path: "/import" },
  { name: "import-job", path: job },
  { name: "import-profiles", path: "/import/profiles/jobs" },
  { name: "import-mapping", path: "/import/profiles/mappings/new" },
  { name: "import-match", path: "/import/profiles/matches/new" },
  { name: "import-protection", path: "/import/profiles/protection" },
  { name: "request", path: `/inventory/${title}`, prepare: openDialog(new RegExp(`^${desk.inventory.request}`)) },
  { name: "requests", path: "/requests" },
  { name: "hold-shelf", path: "/requests?view=shelf" },
  { name: "to-fetch", path: "/requests?view=pick" },
  { name: "lists", path: "/lists?list=overdue" },
  { name: "item-lists", path: "/lists/items", prepare: scanIntoList(barcodes, spokenWords[language]) },
  { name: "rules", path: "/rules" },
  {
    name: "rules-tried",
    path: "/rules",
    prepare: async (page) => {
      await page.getByLabel(desk.patron.barcode).fill(FREYA);
      await page.getByLabel(desk.checkOut.item).fill(BELOVED);
      await page.keyboard.press("Enter");
      await page.locator(".reasons > li").first().waitFor();
    },
  },
  { name: "settings", path: "/settings" },
  { name: "policies", path: "/settings/loan-policies" },
  { name: "policy", path: `/settings/loan-policies/${THREE_WEEKS}` },
  { name: "limits", path: `/settings/limits/${LOANS_OUT}` },
  { name: "template", path: `/settings/templates/${RECEIPT}` },
  { name: "slip", path: `/settings/staff-slips/${HOLD_SLIP}` },
  { name: "notices", path: "/settings/notices" },
  { name: "service-points", path: `/settings/service-points/${HARBOUR}` },
  { name: "locations", path: "/settings/locations" },
  { name: "calendars", path: "/settings/calendars" },
  { name: "calendar", path: `/settings/calendars/${HARBOUR_HOURS}?month=2026-12`, from: "section:has(> .month-head)" },
  {
    name: "calendar-year",
    path: `/settings/calendars/${HARBOUR_HOURS}?view=year&month=2026-12`,
    from: "section:has(> .month-head)",
  },
  { name: "fee-types", path: "/settings/fee-types" },
  { name: "role", path: "/settings/roles/new" },
  { name: "photos", path: "/settings/photos" },
  { name: "single-sign-on", path: "/settings/single-sign-on" },
  { name: "webhooks", path: "/settings/webhooks" },
  { name: "drawer", path: "/drawer" },
  { name: "log", path: "/log" },
  { name: "security-log", path: "/security-log" },
  { name: "partner-libraries", path: "/partner-libraries" },
  { name: "self", path: "/self" },
  { name: "today", path: "/today" },
  { name: "lab", path: "/lab?with=check-in-check-out-before" },
  { name: "lab-start", path: "/lab", prepare: openDialog(lab.start.do) },
  { name: "preferences", path: "/today", prepare: openDialog(desk.preferences.title) },
  { name: "no-such-page", path: "/nowhere" },
];

/** Prepares the page without a connection, in a browser of its own. */
export async function takeOffline(library: Library, page: Page): Promise<void> {
  await enterDesk(library, page);
  await page.waitForFunction(async () => (await (await caches.open("octavo-luggage")).keys()).length === 2);
  await scan(page, FREYA);
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await page.context().setOffline(true);
  await scan(page, BELOVED, FILM, REFERENCE);
  await row(page, BELOVED).getByText("expected: due").waitFor();
}

/** Imports two files at the desk: an authority, and a title. */
async function importFiles(library: Library): Promise<Pick<ShotRecords, "job" | "authority" | "imported">> {
  const page = await library.visit();
  await enterDesk(library, page);
  const path = () => new URL(page.url()).pathname.replace("/desk", "");
  const sent = async (name: string, buffer: Buffer, profile: string) => {
    await page.goto(`${library.address}/desk/import`);
    await page.locator("input[type=file]").setInputFiles([{ name, mimeType: "application/marc", buffer }]);
    await findIn(page.getByLabel("Job profile").first(), profile, profile);
    await page.getByRole("button", { name: "Start import" }).press("Enter");
    await page.getByRole("heading", { level: 1, name }).waitFor();
  };
  const person = ["001 n78095332", "008 800723n| azannaabn          |a aaa      ", "010   $an 78095332"];
  const names = ["100 1 $aDefoe, Daniel,$d1661?-1731", "400 1 $aFoe, Daniel"];
  await sent("people.mrc", marcRecord("z ", ...person, ...names), "Default - Create SRS MARC Authority");
  await page.getByRole("link", { name: /^Authority/ }).press("Enter");
  await page.waitForURL(/authorities/);
  const authority = path();
  const book = ["001 ven0001", "008 980211s1998    enka     b    001 1 eng d", "020   $a9780140431629"];
  const described = ["100 1 $aDefoe, Daniel.", "245 12$aA cruising voyage round the world /$cDaniel Defoe."];
  const damaged = Buffer.from("00045nam a2200037 a 4500damaged on its way\x1d");
  const file = Buffer.concat([marcRecord("am", ...book, ...described), damaged]);
  await sent("vendor.mrc", file, "Default - Create instance and SRS MARC Bib");
  const link = page.getByRole("link", { name: /^Instance in/ });
  await link.waitFor();
  await page.getByText("Completed with errors").waitFor();
  const job = path();
  await link.press("Enter");
  await page.waitForURL(/inventory/);
  const imported = path().split("/").at(-1) ?? "";
  await page.context().close();
  return { job, authority, imported };
}

/**
 * Creates the records for the pictures: requests for a title, a fee, an item for a partner library, and imported
 * records.
 */
export async function arrangeRecords(library: Library): Promise<ShotRecords> {
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
  const photos = await library.call<{ id: string }>("/users/configurations/entry");
  await library.call(`/users/configurations/entry/${photos.id}`, { ...photos, enabled: true, maxFileSize: 4 }, "PUT");
  const [forPartner = "", ...barcodes] = await library.lendable();
  const { id } = await one<{ id: string }>("/inventory/items", "items", `barcode=="${forPartner}"`);
  await library.call(`/transactions/${randomUUID()}`, {
    role: "LENDER",
    item: { id, barcode: forPartner, title: "The Waves", materialType: "book", lendingLibraryCode: "KU" },
    patron: { id: randomUUID(), barcode: "visitor-0815", group: "faculty" },
    pickup: { servicePointId: points.id, servicePointName: "Main desk", libraryCode: "NORTH" },
  });
  await library.call("/circulation/check-in-by-barcode", {
    itemBarcode: forPartner,
    servicePointId: points.id,
    checkInDate: new Date().toISOString(),
  });
  const known = { patron: borrower.userId, debtor: loan.userId, title: instanceId };
  return { ...known, ...(await importFiles(library)), barcodes: barcodes.slice(0, 3) };
}
