/**
 * A log-in service for one test: the package `oidc-provider`, certified by the OpenID Foundation, with its own pages.
 */

import { once } from "node:events";
import type { Server } from "node:http";
import { createServer } from "node:net";
import Provider from "oidc-provider";
import type { Page } from "./library.ts";

export const CLIENT = { id: "octavo", secret: "a secret of the test's" };

export interface LogInService {
  issuer: string;
  stop: () => void;
}

/** Accepts every user name and any password. */
export async function startService(redirect: string): Promise<LogInService> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirect] }],
    claims: { openid: ["sub"], profile: ["preferred_username"], email: ["email", "email_verified"] },
    cookies: { keys: ["a key of the test's"] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id }) }),
  });
  const server = await new Promise<Server>((listening) => {
    const server = provider.listen(port, "localhost", () => listening(server));
  });
  return {
    issuer,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Signs in at the log-in service's pages, and allows it to tell the library who one is. */
export async function logInAtService(page: Page, name: string): Promise<void> {
  await page.locator('input[name="login"]').fill(name);
  await page.locator('input[name="password"]').fill("any");
  await page.locator('input[name="password"]').press("Enter");
  await page.getByRole("button", { name: "Continue" }).press("Enter");
}
