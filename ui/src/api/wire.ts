/** Sends one request over the network for a library (tenant), and recognises when no answer comes. */

import { fetchWithProgress } from "./watched.ts";

export interface Call {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON, unless it is a `Blob`. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A 503 of the server itself counts as an answer: it says how far the search index has been built. */
  mayBeBusy?: boolean;
  /** After so many milliseconds without an answer the server counts as unreachable. */
  timeoutMs?: number;
  /** The request is finished even if the page is closed. */
  keepalive?: boolean;
  /** The request has a token of its own, so the cookies of the signed-in user are not sent. */
  withoutCookies?: boolean;
  /** Called with the number of bytes of a long body that have been sent. */
  onProgress?: (bytes: number) => void;
}

/** No answer came. The server may have carried out the call all the same. */
export class Unreachable extends Error {}

/**
 * Whether a proxy cannot reach the server, or the server its database. A 504 of the server itself only means that a
 * search took too long.
 */
function isUnreachable({ status, headers }: Response): boolean {
  const isOfProxy = headers.get("content-type")?.startsWith("text/html") ?? false;
  return status === 502 || status === 503 || (status === 504 && isOfProxy);
}

const isFromServer = ({ headers }: Response) => headers.get("content-type")?.startsWith("text/html") === false;

/** Several modules of FOLIO have the same path: such a call names the module that is meant. */
const MODULE_IDS: Record<string, string> = { "custom-fields": "mod-users-19.3.1" };

let tenant: string | undefined;
let reportReachable: (up: boolean) => void = () => {};

/** Sets the tenant that every call is for; it is known before anybody signs in. */
export function setCallTenant(id: string | undefined): void {
  tenant = id;
}

export function onReachabilityChange(listener: (up: boolean) => void): void {
  reportReachable = listener;
}

export async function sendRequest(path: string, call: Call = {}): Promise<Response> {
  const address = new URL(path, location.origin);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  const response = await fetchResponse(address, call);
  const isBusy = call.mayBeBusy && response?.status === 503 && isFromServer(response);
  const up = response !== undefined && (isBusy || !isUnreachable(response));
  reportReachable(up);
  if (!up) throw new Unreachable();
  return response;
}

async function fetchResponse(
  address: URL,
  { method = "GET", body, headers, signal, timeoutMs, keepalive = false, withoutCookies = false, onProgress }: Call,
): Promise<Response | undefined> {
  const module = MODULE_IDS[address.pathname.split("/")[1] ?? ""];
  const signals = [signal, timeoutMs && AbortSignal.timeout(timeoutMs)].filter((one) => one instanceof AbortSignal);
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
    return await (onProgress ? fetchWithProgress(address, init, onProgress) : fetch(address, init));
  } catch (error) {
    if (signal?.aborted) throw error;
    return undefined;
  }
}
