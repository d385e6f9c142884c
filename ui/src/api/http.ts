/**
 * One call to the server. What goes wrong comes out as one of three errors, each of which a page can put in words:
 * the server refused (`Refused`), it could not be reached (`Unreachable`), or nobody is signed in any more (`SignedOut`).
 */

import { lacksToken, renewed, tokensAtHand } from "./tokens.ts";
import { type Call, send } from "./wire.ts";

export { Unreachable } from "./wire.ts";

/** An error as FOLIO's modules word it. */
export interface Refusal {
  message: string;
  code?: string;
  parameters?: { key: string; value?: string | null }[];
  /** The message is in the language of the desk already. */
  isWorded?: boolean;
  /** The block that may be overridden, and the permissions for it that the caller lacks. */
  overridableBlock?: { name: string; missingPermissions?: string[] };
}

export class Refused extends Error {
  readonly status: number;
  readonly refusals: Refusal[];
  /** The whole answer, where it says more than messages. */
  readonly body: unknown;

  constructor(status: number, refusals: Refusal[], body?: unknown) {
    super(refusals.map((refusal) => refusal.message).join(" "));
    this.status = status;
    this.refusals = refusals;
    this.body = body;
  }
}

/** What the desk itself refuses, in its own words. */
export const refusing = (status: number, message: string) => new Refused(status, [{ message, isWorded: true }]);

/** Only a password helps: the refresh token has run out too, or somebody else has signed in meanwhile. */
export class SignedOut extends Error {}

interface Asking extends Call {
  /** `none`: it is asked before anybody has signed in. `now`: it does not wait until somebody has. */
  token?: "none" | "now";
}

let signInNeeded: () => Promise<void> = () => Promise.reject(new SignedOut());

/** Calls that only a sign-in helps wait for what the listener promises, and are then repeated. */
export function onSignInNeeded(listener: typeof signInNeeded): void {
  signInNeeded = listener;
}

export async function ask<T>(path: string, call: Asking = {}): Promise<T> {
  return (await askWith<T>(path, call)).body;
}

/** Like `ask`, with the headers of the answer. */
export async function askWith<T>(path: string, call: Asking = {}): Promise<{ body: T; headers: Headers }> {
  const response = await answered(path, call);
  if (!response.ok) throw await refused(response);
  const text = await response.text();
  // Some of FOLIO's answers are empty, some are plain text.
  const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json");
  return { body: (isJson ? JSON.parse(text) : text) as T, headers: response.headers };
}

/** Reads a long answer as a file; `arrived` is told how many bytes have come so far. */
export async function download(path: string, call: Asking, arrived: (bytes: number) => void): Promise<Blob> {
  const response = await answered(path, call);
  if (!response.ok) throw await refused(response);
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

/** A call that is refused because its token has expired has changed nothing, so it is repeated with a new token. */
async function answered(path: string, { token, ...call }: Asking): Promise<Response> {
  if (token === "none") return send(path, call);
  const pair = await tokensAtHand();
  let response = await send(path, call);
  if (!(await lacksToken(response))) return response;
  if (await renewed(pair)) response = await send(path, call);
  if (!(await lacksToken(response))) return response;
  if (token === "now") throw new SignedOut();
  await signInNeeded();
  response = await send(path, call);
  if (await lacksToken(response)) throw new SignedOut();
  return response;
}

async function refused(response: Response): Promise<Refused> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as { errors?: Refusal[]; message?: string; errorMessage?: string };
    if (body.errors?.length) return new Refused(response.status, body.errors);
    // JSON in an unknown form is not shown.
    return new Refused(response.status, [{ message: body.message ?? body.errorMessage ?? "" }], body);
  } catch {
    // Plain text, then.
  }
  return new Refused(response.status, [{ message: text || `${response.status}` }]);
}
