/**
 * The tokens of whoever is signed in, in cookies that no script can read: an access token, which every call needs and which lives
 * for minutes, and a refresh token, which is exchanged for a new pair, once. A refresh token that is used twice ends the whole
 * sign-in, and all tabs share the cookies: so one tab at a time exchanges it, and leaves word for the others.
 *
 * The one place that knows when a token has run out, and by which answers the server says so.
 */

import { send, Unreachable } from "./wire.ts";

interface Pair {
  /** Another id: another call, or another tab, has got a newer pair. */
  id: string;
  /** From when on a new one is fetched beside the work, and when the access token has run out, by this machine's clock. */
  renewFrom?: number;
  until?: number;
  /** Whose they are, once that is known. */
  user?: string;
}

const NAME = "octavo.tokens";
const PATIENCE_MS = 15_000;
/** The share of its lifetime after which an access token is renewed. */
const FRESH = 0.75;

const pair = (): Pair => JSON.parse(localStorage.getItem(NAME) ?? "null") ?? { id: "" };

function keep(now: Pair): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(now));
  } catch {
    // Storage is full or forbidden: then answers alone tell that a token has run out.
  }
}

const REPLACED = `${NAME}.replaced.`;
/** Longer than a browser takes to show one tab what another has written into local storage. */
const KNOWN_EVERYWHERE_MS = 10_000;

/**
 * Whether another tab has replaced a pair. Local storage may show that a moment after the lock is free, while the list of locks
 * is the same for all tabs at any time: so whoever replaces a pair holds a lock that is named after it.
 */
async function isReplaced(id: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === REPLACED + id);
}

function markReplaced(id: string): Promise<void> {
  return new Promise((marked) => {
    void navigator.locks.request(REPLACED + id, () => {
      marked();
      return new Promise((gone) => setTimeout(gone, KNOWN_EVERYWHERE_MS));
    });
  });
}

/** Tokens are asked for by one tab at a time, whether with a password or with a token. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request("octavo.tokens", work) as Promise<T>;
}

interface Expirations {
  accessTokenExpiration?: string;
}

/** Takes note of a new pair. How long it lives is told by the server's clock, which need not be this machine's. */
export function given({ body, headers }: { body: Expirations; headers: Headers }, user?: string): void {
  const life = Date.parse(body.accessTokenExpiration ?? "") - Date.parse(headers.get("date") ?? "");
  const now = Date.now();
  keep({
    id: crypto.randomUUID(),
    ...(life > 0 && { renewFrom: now + life * FRESH, until: now + life }),
    ...(user !== undefined && { user }),
  });
}

/** Takes note of a new pair that came without a word of how long it lives: with a page to which somebody has come back. */
export function broughtAlong(): void {
  keep({ id: crypto.randomUUID() });
}

export function givenTo(user: string): void {
  keep({ ...pair(), user });
}

export function forget(): void {
  localStorage.removeItem(NAME);
}

/** Another tab has got other tokens: whose they are, or that there are none any more. */
export function onOtherTab(listener: (user: string | undefined) => void): void {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key !== NAME) return;
    if (newValue === null) return listener(undefined);
    const { user } = JSON.parse(newValue) as Pair;
    if (user !== undefined) listener(user);
  });
}

/** Before a call: fetches a new pair if the access token has run out, and beside the call if it soon will. The pair's id. */
export async function tokensAtHand(): Promise<string> {
  const { id, renewFrom, until } = pair();
  const now = Date.now();
  if (until !== undefined && now >= until) await renewed(id);
  else if (renewFrom !== undefined && now >= renewFrom) void renewed(id).catch(() => {});
  return pair().id;
}

let refused: string | undefined;

/** Fetches a new pair, unless there is a newer one than `known` already. False: only a password helps. */
export async function renewed(known: string): Promise<boolean> {
  return oneAtATime(async () => {
    const { id, user } = pair();
    if (id !== known || (await isReplaced(id))) return true;
    if (id === refused) return false;
    const response = await send("/authn/refresh", { method: "POST", patience: PATIENCE_MS, keepalive: true });
    // Not the token's fault: later it may go well.
    if (response.status >= 500 || response.status === 429) throw new Unreachable();
    if (!response.ok) {
      refused = id;
      return false;
    }
    given({ body: (await response.json()) as Expirations, headers: response.headers }, user);
    await markReplaced(id);
    return true;
  });
}

const SAYS_SO = /^(token missing|invalid token)/i;

/** Whether it was refused because the access token is missing, has run out, or is another library's. */
export async function lacksToken(response: Response): Promise<boolean> {
  if (![400, 401, 403].includes(response.status)) return false;
  const text = await response.clone().text();
  // `_self` needs no permission: it is not told that a token is missing, only that there is nobody to speak of.
  const ofNobody = response.url.includes("/bl-users/_self") && text === "Improperly formatted request";
  return ofNobody || SAYS_SO.test(text);
}
