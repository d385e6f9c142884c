/**
 * Sends one call to the server. A failed call throws one of three errors, each of which a page can explain: the server
 * refused (`Refused`), it could not be reached (`Unreachable`), or nobody is signed in any more (`SignedOut`).
 */

import { ensureFreshTokens, isTokenRefused, renewTokens } from "./tokens.ts";
import { type Call, sendRequest } from "./wire.ts";

export { Unreachable } from "./wire.ts";

/** An error as FOLIO's modules word it. */
export interface Refusal {
  message: string;
  code?: string;
  parameters?: { key: string; value?: string | null }[];
  /** The message is already in the language of the desk, so it is not translated. */
  isWorded?: boolean;
  /** The block that may be overridden, and the permissions for it that the caller lacks. */
  overridableBlock?: { name: string; missingPermissions?: string[] };
}

export class Refused extends Error {
  readonly status: number;
  readonly refusals: Refusal[];
  /** The whole body of the server's answer, where it has more than messages. */
  readonly body: unknown;

  constructor(status: number, refusals: Refusal[], body?: unknown) {
    super(refusals.map((refusal) => refusal.message).join(" "));
    this.status = status;
    this.refusals = refusals;
    this.body = body;
  }
}

/** An error that the desk itself raises, with a message in the language of the desk. */
export const createRefusal = (status: number, message: string) => new Refused(status, [{ message, isWorded: true }]);

/**
 * The server accepts neither the access token nor the refresh token, or another user has signed in meanwhile: only a
 * password helps.
 */
export class SignedOut extends Error {}

interface CallOptions extends Call {
  /**
   * `none`: the call is made before anybody is signed in. `now`: it fails instead of waiting until somebody has signed
   * in again.
   */
  token?: "none" | "now";
}

let requestSignIn: () => Promise<void> = () => Promise.reject(new SignedOut());

/**
 * Registers what asks staff to sign in again. Calls that need a new sign-in wait for its promise and are then sent
 * again.
 */
export function onSignInNeeded(listener: typeof requestSignIn): void {
  requestSignIn = listener;
}

export async function ask<T>(path: string, call: CallOptions = {}): Promise<T> {
  return (await askWithHeaders<T>(path, call)).body;
}

/** Like `ask`, but returns the headers of the answer, too. */
export async function askWithHeaders<T>(path: string, call: CallOptions = {}): Promise<{ body: T; headers: Headers }> {
  const response = await sendSignedIn(path, call);
  if (!response.ok) throw await readRefusal(response);
  const text = await response.text();
  // Some answers of FOLIO are empty, and some are plain text.
  const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json");
  return { body: (isJson ? JSON.parse(text) : text) as T, headers: response.headers };
}

/** Downloads a long answer as a file; `arrived` is called with the number of bytes that have come so far. */
export async function download(path: string, call: CallOptions, arrived: (bytes: number) => void): Promise<Blob> {
  const response = await sendSignedIn(path, call);
  if (!response.ok) throw await readRefusal(response);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body?.getReader();
  let bytes = 0;
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    pieces.push(piece.value);
    bytes += piece.value.length;
    arrived(bytes);
  }
  return new Blob(pieces, { type: response.headers.get("content-type") ?? "" });
}

/**
 * Sends a call with the cookies of the signed-in user. A call that was refused because its token has expired has
 * changed nothing, so it is sent again with a new token.
 */
async function sendSignedIn(path: string, { token, ...call }: CallOptions): Promise<Response> {
  if (token === "none") return sendRequest(path, call);
  const pair = await ensureFreshTokens();
  let response = await sendRequest(path, call);
  if (!(await isTokenRefused(response))) return response;
  if (await renewTokens(pair)) response = await sendRequest(path, call);
  if (!(await isTokenRefused(response))) return response;
  if (token === "now") throw new SignedOut();
  await requestSignIn();
  response = await sendRequest(path, call);
  if (await isTokenRefused(response)) throw new SignedOut();
  return response;
}

async function readRefusal(response: Response): Promise<Refused> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as { errors?: Refusal[]; message?: string; errorMessage?: string };
    if (body.errors?.length) return new Refused(response.status, body.errors);
    // JSON in an unknown form is not shown to staff.
    return new Refused(response.status, [{ message: body.message ?? body.errorMessage ?? "" }], body);
  } catch {
    // The answer is plain text.
  }
  return new Refused(response.status, [{ message: text || `${response.status}` }]);
}
