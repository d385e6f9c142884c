/**
 * The tokens of the signed-in user are in cookies that no script can read: an access token, which every call needs and
 * which is valid for minutes, and a refresh token, which is exchanged once for a new pair. Using a refresh token twice
 * ends the sign-in, and all tabs share the cookies: so one tab at a time exchanges it, and tells the others through
 * local storage. Only this file knows when a token has expired, and by which answers the server says so.
 */

import { sendRequest, Unreachable } from "./wire.ts";

interface TokenPair {
  /** Changes with each new pair of tokens, whether another call or another tab has got it. */
  id: string;
  /**
   * From when on a new pair is fetched in the background, and when the access token expires, in milliseconds of this
   * computer's clock.
   */
  renewFrom?: number;
  until?: number;
  /** The id of the user who owns the tokens, once it is known. */
  user?: string;
}

const STORAGE_KEY = "octavo.tokens";
const RENEWAL_TIMEOUT_MS = 15_000;
/** An access token is renewed after this share of its lifetime. */
const RENEW_AFTER_SHARE = 0.75;

const readTokenPair = (): TokenPair => JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") ?? { id: "" };

function storeTokenPair(now: TokenPair): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(now));
  } catch {
    // Local storage is full or forbidden: only the server's answers then show that a token has expired.
  }
}

const REPLACED_LOCK_PREFIX = `${STORAGE_KEY}.replaced.`;
/**
 * How long the lock of a replaced pair is held, in milliseconds: longer than a browser needs to show one tab what
 * another has written into local storage.
 */
const STORAGE_DELAY_MS = 10_000;

/**
 * Whether another tab has already replaced a pair. Local storage may show that only a moment after the lock is free,
 * while the list of locks is always the same in all tabs: so the tab that replaces a pair holds a lock that is named
 * after the pair.
 */
async function isReplaced(id: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === REPLACED_LOCK_PREFIX + id);
}

function markReplaced(id: string): Promise<void> {
  return new Promise((marked) => {
    void navigator.locks.request(REPLACED_LOCK_PREFIX + id, () => {
      marked();
      return new Promise((gone) => setTimeout(gone, STORAGE_DELAY_MS));
    });
  });
}

/** Runs a call that gets tokens, by password or by refresh token, in one tab at a time. */
export function withTokenLock<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request("octavo.tokens", work) as Promise<T>;
}

interface Expirations {
  accessTokenExpiration?: string;
}

/** Remembers a new pair. Its lifetime is computed from the server's clock, since this computer's clock may differ. */
export function noteNewTokens({ body, headers }: { body: Expirations; headers: Headers }, user?: string): void {
  const life = Date.parse(body.accessTokenExpiration ?? "") - Date.parse(headers.get("date") ?? "");
  const now = Date.now();
  storeTokenPair({
    id: crypto.randomUUID(),
    ...(life > 0 && { renewFrom: now + life * RENEW_AFTER_SHARE, until: now + life }),
    ...(user !== undefined && { user }),
  });
}

/** Remembers a new pair whose lifetime is not known: that of a single sign-on, which came as cookies with the page. */
export function noteSignOnTokens(): void {
  storeTokenPair({ id: crypto.randomUUID() });
}

export function noteTokenOwner(user: string): void {
  storeTokenPair({ ...readTokenPair(), user });
}

export function forgetTokens(): void {
  localStorage.removeItem(STORAGE_KEY);
}

/**
 * Calls the listener when another tab has got other tokens: with the id of their user, or undefined if that tab has
 * signed out.
 */
export function onOtherTabSignIn(listener: (user: string | undefined) => void): void {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key !== STORAGE_KEY) return;
    if (newValue === null) return listener(undefined);
    const { user } = JSON.parse(newValue) as TokenPair;
    if (user !== undefined) listener(user);
  });
}

/**
 * Before a call: fetches a new pair if the access token has expired, or in the background if it soon will. Returns the
 * pair's id.
 */
export async function ensureFreshTokens(): Promise<string> {
  const { id, renewFrom, until } = readTokenPair();
  const now = Date.now();
  if (until !== undefined && now >= until) await renewTokens(id);
  else if (renewFrom !== undefined && now >= renewFrom) void renewTokens(id).catch(() => {});
  return readTokenPair().id;
}

let refusedPairId: string | undefined;

/** Fetches a new pair, unless there is already a newer one than `known`. Returns false if only a password helps. */
export async function renewTokens(known: string): Promise<boolean> {
  return withTokenLock(async () => {
    const { id, user } = readTokenPair();
    if (id !== known || (await isReplaced(id))) return true;
    if (id === refusedPairId) return false;
    const response = await sendRequest("/authn/refresh", {
      method: "POST",
      timeoutMs: RENEWAL_TIMEOUT_MS,
      keepalive: true,
    });
    // The server has a problem; the token may be accepted later.
    if (response.status >= 500 || response.status === 429) throw new Unreachable();
    if (!response.ok) {
      refusedPairId = id;
      return false;
    }
    noteNewTokens({ body: (await response.json()) as Expirations, headers: response.headers }, user);
    await markReplaced(id);
    return true;
  });
}

const TOKEN_REFUSAL = /^(token missing|invalid token)/i;

/**
 * Whether the server refused a call because the access token is missing, has expired, or belongs to another library.
 */
export async function isTokenRefused(response: Response): Promise<boolean> {
  if (![400, 401, 403].includes(response.status)) return false;
  const text = await response.clone().text();
  // The path `_self` needs no permission: without a token the server does not say that a token is missing, but that the
  // request has no user.
  const ofNobody = response.url.includes("/bl-users/_self") && text === "Improperly formatted request";
  return ofNobody || TOKEN_REFUSAL.test(text);
}
