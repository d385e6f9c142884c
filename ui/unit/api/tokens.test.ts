import { beforeEach, describe, expect, test, vi } from "vitest";
import { jsonResponse, Network, settle } from "../browser.ts";

const REFRESH = "POST /authn/refresh";
const USERS = "GET /users";
const NOW = Date.parse("2026-11-23T10:00:00Z");

/** The server's clock goes two hours before this machine's. */
const SERVER_AHEAD_MS = 2 * 3_600_000;
const LIFE_MS = 600_000;
const instant = (ms: number) => new Date(ms).toISOString();
const pairOfTokens = () => {
  const now = Date.now() + SERVER_AHEAD_MS;
  return jsonResponse({ accessTokenExpiration: instant(now + LIFE_MS) }, 201, { date: new Date(now).toUTCString() });
};

let network: Network;
/** Whether the access token of the browser's cookie still holds. */
let isTokenValid: boolean;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  isTokenValid = false;
  network = new Network()
    .answerWith(USERS, () =>
      isTokenValid ? jsonResponse({ users: [] }) : new Response("Token missing", { status: 401 }),
    )
    .answerWith(REFRESH, () => {
      isTokenValid = true;
      return pairOfTokens();
    });
});

const open = async () => ({ ...(await import("../../src/api/http.ts")), ...(await import("../../src/api/tokens.ts")) });
const routes = () => network.calls.map(({ route }) => route);

describe("a call that is refused for want of a token", () => {
  test("is repeated with a new one", async () => {
    const { ask } = await open();
    expect(await ask("/users")).toEqual({ users: [] });
    expect(routes()).toEqual([USERS, REFRESH, USERS]);
  });

  test("shares the new one with all others: a refresh token is good for once", async () => {
    const { ask } = await open();
    await Promise.all([ask("/users"), ask("/users"), ask("/users")]);
    expect(network.callsTo(REFRESH)).toHaveLength(1);
  });

  test("takes the one that another tab has fetched meanwhile", async () => {
    const { ask } = await open();
    network.answerWith(USERS, () => {
      if (isTokenValid) return jsonResponse({ users: [] });
      isTokenValid = true;
      localStorage.setItem("octavo.tokens", JSON.stringify({ id: "of another tab" }));
      return new Response("Invalid token: Access token has expired", { status: 401 });
    });
    await ask("/users");
    expect(routes()).toEqual([USERS, USERS]);
  });

  test("takes it as well while local storage still shows the pair before it", async () => {
    const here = await open();
    vi.resetModules();
    const there = await open();
    const shown = vi.spyOn(localStorage, "getItem").mockReturnValue(JSON.stringify({ id: "before" }));
    await Promise.all([here.renewTokens("before"), there.renewTokens("before")]);
    shown.mockRestore();
    expect(network.callsTo(REFRESH)).toHaveLength(1);
  });

  test("needs a password when the refresh token has run out too, which is tried once", async () => {
    const { ask, SignedOut } = await open();
    network.answerWith(REFRESH, () => jsonResponse({ errors: [] }, 400));
    await expect(ask("/users")).rejects.toBeInstanceOf(SignedOut);
    await expect(ask("/users")).rejects.toBeInstanceOf(SignedOut);
    expect(network.callsTo(REFRESH)).toHaveLength(1);
  });

  test.each([500, 429, 503])("waits while tokens are answered with %i: the sign-in may still hold", async (status) => {
    const { ask, Unreachable } = await open();
    network.answerWith(REFRESH, () => new Response("", { status }));
    await expect(ask("/users")).rejects.toBeInstanceOf(Unreachable);
  });

  test("is repeated after a sign-in, whatever it is", async () => {
    const { ask, onSignInNeeded } = await open();
    network.answerWith(REFRESH, () => jsonResponse({}, 400));
    const signedIn = Promise.withResolvers<void>();
    onSignInNeeded(() => signedIn.promise);
    const answer = ask("/users");
    await settle();
    expect(routes()).toEqual([USERS, REFRESH]);
    isTokenValid = true;
    signedIn.resolve();
    expect(await answer).toEqual({ users: [] });
  });

  test("is not mistaken for one that lacks a permission", async () => {
    const { ask, Refused } = await open();
    network.answerWith(
      USERS,
      () => new Response("Access for user requires permission: users.collection.get", { status: 403 }),
    );
    await expect(ask("/users")).rejects.toBeInstanceOf(Refused);
    expect(routes()).toEqual([USERS]);
  });
});

describe("before a token runs out", () => {
  async function signedIn() {
    const desk = await open();
    const answer = pairOfTokens();
    desk.noteNewTokens({ body: await answer.json(), headers: answer.headers });
    isTokenValid = true;
    return desk;
  }

  test("it is left as it is for three quarters of its life, whatever the two clocks say", async () => {
    const { ask } = await signedIn();
    vi.setSystemTime(NOW + 0.74 * LIFE_MS);
    await ask("/users");
    expect(routes()).toEqual([USERS]);
  });

  test("a new one is fetched beside the work, which does not wait", async () => {
    const { ask } = await signedIn();
    const late = Promise.withResolvers<void>();
    network.answerWith(REFRESH, () => late.promise.then(pairOfTokens));
    vi.setSystemTime(NOW + 0.76 * LIFE_MS);
    expect(await ask("/users")).toEqual({ users: [] });
    await ask("/users");
    late.resolve();
    await settle();
    await ask("/users");
    expect(network.callsTo(REFRESH)).toHaveLength(1);
  });

  test("once it has run out, the call waits for a new one instead of being refused", async () => {
    const { ask } = await signedIn();
    vi.setSystemTime(NOW + LIFE_MS);
    await ask("/users");
    expect(routes()).toEqual([REFRESH, USERS]);
  });
});
