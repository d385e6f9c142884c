/** Sends a test e-mail, and tells what became of it. */

import { ask } from "./http.ts";
import { list } from "./list.ts";
import type { EMail } from "./octavo.ts";

/** How often, and for how long, the page asks whether the e-mail was sent. */
const EVERY_MS = 700;
const PATIENCE_MS = 30_000;

const pause = () => new Promise((done) => setTimeout(done, EVERY_MS));

/** Undefined where the mail server takes its time. */
export async function sendTest(to: string, header: string, body: string): Promise<EMail | undefined> {
  const id = crypto.randomUUID();
  const email = { id, notificationId: id, to, header, body, outputFormat: "text/plain" };
  await ask("/email", { method: "POST", body: email });
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const { emailEntity } = await list("/email", { query: `id==${id}`, limit: 1 });
    const [now] = emailEntity;
    if (now && now.status !== "PROCESSING") return now;
    await pause();
  }
  return undefined;
}
