/** One request, as it goes over the network: for which library, and what it means when no answer comes. */

import { watched } from "./watched.ts";

export interface Call {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON, but for bytes. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** The server's own 503 counts as an answer: it says how far the index of titles is. */
  mayBeBusy?: boolean;
  /** After so many milliseconds without an answer the server counts as out of reach. */
  patience?: number;
  /** It goes to its end although the page goes. */
  keepalive?: boolean;
  /** It carries a token of its own: the cookies of whoever is signed in stay out of it. */
  withoutCookies?: boolean;
  /** Is told how many bytes of a long body have been sent. */
  sent?: (bytes: number) => void;
}

/** No answer came. The call may have been carried out all the same. */
export class Unreachable extends Error {}

/** Whether a proxy cannot reach the server, or the server its database. The server itself answers 504 to a search that took too long. */
function isAway({ status, headers }: Response): boolean {
  const isOfProxy = headers.get("content-type")?.startsWith("text/html") ?? false;
  return status === 502 || status === 503 || (status === 504 && isOfProxy);
}

const isOfServer = ({ headers }: Response) => headers.get("content-type")?.startsWith("text/html") === false;

/** Where several modules of FOLIO have the same path, a call names the one that is meant. */
const MEANT: Record<string, string> = { "custom-fields": "mod-users-19.3.1" };

let tenant: string | undefined;
let reached: (up: boolean) => void = () => {};

/** The tenant that every call is for; it is known before anybody signs in. */
export function callFor(id: string | undefined): void {
  tenant = id;
}

export function onReached(listener: (up: boolean) => void): void {
  reached = listener;
}

export async function send(path: string, call: Call = {}): Promise<Response> {
  const address = new URL(path, location.origin);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  const response = await answer(address, call);
  const isBusy = call.mayBeBusy && response?.status === 503 && isOfServer(response);
  const up = response !== undefined && (isBusy || !isAway(response));
  reached(up);
  if (!up) throw new Unreachable();
  return response;
}

async function answer(
  address: URL,
  { method = "GET", body, headers, signal, patience, keepalive = false, withoutCookies = false, sent }: Call,
): Promise<Response | undefined> {
  const module = MEANT[address.pathname.split("/")[1] ?? ""];
  const signals = [signal, patience && AbortSignal.timeout(patience)].filter((one) => one instanceof AbortSignal);
  try {
    const init: RequestInit = {
      method,
      keepalive,
      credentials: withoutCookies ? "omit" : "same-origin",
      headers: {
        accept: "application/json, text/plain",
        ...(tenant === undefined ? {} : { "x-okapi-tenant": tenant }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(module && { "x-okapi-module-id": module }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    };
    return await (sent ? watched(address, init, sent) : fetch(address, init));
  } catch (error) {
    if (signal?.aborted) throw error;
    return undefined;
  }
}
