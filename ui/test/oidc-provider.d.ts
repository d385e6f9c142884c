/** What the test of single sign-on uses of the library `oidc-provider`, which has no types of its own. */

declare module "oidc-provider" {
  import type { Server } from "node:http";

  interface Account {
    accountId: string;
    claims: () => Record<string, unknown>;
  }

  interface Configuration {
    clients: { client_id: string; client_secret: string; redirect_uris: string[] }[];
    claims: Record<string, string[]>;
    cookies: { keys: string[] };
    features: { devInteractions: { enabled: boolean } };
    findAccount: (context: unknown, id: string) => Account;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    listen(port: number, host: string, listening: () => void): Server;
  }
}
