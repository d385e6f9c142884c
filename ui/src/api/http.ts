/**
 * One call to the server. What goes wrong comes out as one of three errors, each of which a page can put in words:
 * the server refused (`Refused`), it could not be reached (`Unreachable`), or nobody is signed in any more (`SignedOut`).
 */

/** An error as FOLIO's modules word it. */
export interface Refusal {
  message: string;
  code?: string;
  parameters?: { key: string; value?: string | null }[];
  /** What may be overridden, and the permissions for it that the caller lacks. */
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

export class Unreachable extends Error {}
export class SignedOut extends Error {}

interface Call {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

let tenant: string | undefined;
const listeners = { signedOut: () => {}, reached: (_: boolean) => {} };

/** The tenant that every call is for; it is known before anybody signs in. */
export function callFor(id: string | undefined): void {
  tenant = id;
}

export function listen(to: Partial<typeof listeners>): void {
  Object.assign(listeners, to);
}

export async function ask<T>(path: string, call: Call = {}): Promise<T> {
  return (await askWith<T>(path, call)).body;
}

/** The same, for who reads the answer's headers, too. */
export async function askWith<T>(path: string, call: Call = {}): Promise<{ body: T; headers: Headers }> {
  let response = await send(path, call);
  if (response.status === 401 && (await refreshed())) response = await send(path, call);
  if (response.status === 401) {
    listeners.signedOut();
    throw new SignedOut();
  }
  if (!response.ok) throw await refused(response);
  const text = await response.text();
  // Some of FOLIO's answers are empty, some are plain text.
  const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json");
  return { body: (isJson ? JSON.parse(text) : text) as T, headers: response.headers };
}

async function send(path: string, { method = "GET", query, body, headers, signal }: Call): Promise<Response> {
  const address = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  try {
    const response = await fetch(address, {
      method,
      headers: {
        accept: "application/json, text/plain",
        ...(tenant === undefined ? {} : { "x-okapi-tenant": tenant }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    listeners.reached(true);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    listeners.reached(false);
    throw new Unreachable();
  }
}

async function refused(response: Response): Promise<Refused> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as { errors?: Refusal[]; message?: string };
    if (body.errors?.length) return new Refused(response.status, body.errors);
    if (body.message) return new Refused(response.status, [{ message: body.message }], body);
  } catch {
    // Plain text, then.
  }
  return new Refused(response.status, [{ message: text || `${response.status}` }]);
}

let refreshing: Promise<boolean> | undefined;

/** Access tokens live minutes, refresh tokens days. Calls that find theirs expired at the same time share one refresh. */
function refreshed(): Promise<boolean> {
  refreshing ??= send("/authn/refresh", { method: "POST" })
    .then((response) => response.ok)
    .finally(() => {
      refreshing = undefined;
    });
  return refreshing;
}
