/** Sends a test e-mail, and waits for the result. */

import { ask } from "./http.ts";
import { list } from "./list.ts";
import type { EMail } from "./octavo.ts";

/** How often, and for how long at most, the page asks for the status of the e-mail, in milliseconds. */
const POLL_MS = 700;
const TIMEOUT_MS = 30_000;

const pause = () => new Promise((done) => setTimeout(done, POLL_MS));

/** Returns the e-mail with its status; undefined if the mail server has not answered in time. */
export async function sendTestEmail(to: string, header: string, body: string): Promise<EMail | undefined> {
  const id = crypto.randomUUID();
  const email = { id, notificationId: id, to, header, body, outputFormat: "text/plain" };
  await ask("/email", { method: "POST", body: email });
  const end = Date.now() + TIMEOUT_MS;
  while (Date.now() < end) {
    const { emailEntity } = await list("/email", { query: `id==${id}`, limit: 1 });
    const [now] = emailEntity;
    if (now && now.status !== "PROCESSING") return now;
    await pause();
  }
  return undefined;
}
