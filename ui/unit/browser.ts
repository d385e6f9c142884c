/** Replacements for parts of a browser and of the network, controlled by a test. */

import { vi } from "vitest";

/** The locks of one browser, as far as the desk uses them: a name is held by one holder at a time. */
export class Locks {
  private readonly held = new Set<string>();
  private readonly last = new Map<string, Promise<unknown>>();

  request<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(name) ?? Promise.resolve();
    const done = before.then(() => {
      this.held.add(name);
      return work().finally(() => this.held.delete(name));
    });
    this.last.set(
      name,
      done.catch(() => {}),
    );
    return done;
  }

  async query(): Promise<{ held: { name: string }[] }> {
    return { held: [...this.held].map((name) => ({ name })) };
  }

  /** Releases all locks, as a browser does when the pages that hold them are closed. */
  releaseAll(): void {
    this.held.clear();
    this.last.clear();
  }
}

/** A browser's caches: stored answers by address. */
export class Caches {
  private all = new Map<string, Map<string, Response>>();

  async open(name: string) {
    const kept = this.all.get(name) ?? new Map<string, Response>();
    this.all.set(name, kept);
    return {
      match: async (address: string) => kept.get(address)?.clone(),
      put: async (address: string, answer: Response) => void kept.set(address, answer),
    };
  }

  async delete(name: string): Promise<boolean> {
    return this.all.delete(name);
  }
}

export interface ReceivedCall {
  /** Method and path: `POST /circulation/check-out-by-barcode`. */
  route: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

type Answerer = (asked: ReceivedCall) => Response | Promise<Response>;

/** The network, with a server that gives the answers that a test has set. */
export class Network {
  readonly calls: ReceivedCall[] = [];
  isUp = true;
  private readonly answerers = new Map<string, Answerer>();

  constructor() {
    vi.stubGlobal("fetch", (address: URL, call: RequestInit) => this.answer(address, call));
  }

  answerWith(route: string, answering: Answerer): this {
    this.answerers.set(route, answering);
    return this;
  }

  /** The calls to a route, in order. */
  callsTo(route: string): ReceivedCall[] {
    return this.calls.filter((one) => one.route === route);
  }

  private async answer(address: URL, { method, body }: RequestInit): Promise<Response> {
    if (!this.isUp) throw new TypeError("Failed to fetch");
    const route = `${method} ${address.pathname}`;
    const asked = { route, query: address.searchParams, body: typeof body === "string" ? JSON.parse(body) : {} };
    this.calls.push(asked);
    const answering = this.answerers.get(route);
    if (answering === undefined) throw new Error(`the test has no answer to ${route}`);
    return answering(asked);
  }
}

export const jsonResponse = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

/** Runs everything that does not have to wait for a timer. */
export const settle = async () => void (await vi.advanceTimersByTimeAsync(0));
