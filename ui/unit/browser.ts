/** Parts of a browser and of its network, of which a test says what they do. */

import { vi } from "vitest";

/** Locks of one browser, as far as the desk uses them: each name is held by one at a time. */
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

  /** What a browser does when the pages that hold them go. */
  releaseAll(): void {
    this.held.clear();
    this.last.clear();
  }
}

/** Cached answers by address. */
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

export interface Asked {
  /** Method and path: `POST /circulation/check-out-by-barcode`. */
  route: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

type Answering = (asked: Asked) => Response | Promise<Response>;

/** The network, and behind it a server that answers what a test has arranged. */
export class Network {
  readonly asked: Asked[] = [];
  isUp = true;
  private readonly answers = new Map<string, Answering>();

  constructor() {
    vi.stubGlobal("fetch", (address: URL, call: RequestInit) => this.answer(address, call));
  }

  on(route: string, answering: Answering): this {
    this.answers.set(route, answering);
    return this;
  }

  /** What was asked of a route, in order. */
  to(route: string): Asked[] {
    return this.asked.filter((one) => one.route === route);
  }

  private async answer(address: URL, { method, body }: RequestInit): Promise<Response> {
    if (!this.isUp) throw new TypeError("Failed to fetch");
    const route = `${method} ${address.pathname}`;
    const asked = { route, query: address.searchParams, body: typeof body === "string" ? JSON.parse(body) : {} };
    this.asked.push(asked);
    const answering = this.answers.get(route);
    if (answering === undefined) throw new Error(`the test has no answer to ${route}`);
    return answering(asked);
  }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

/** Everything that can go on without waiting for a timer has gone on. */
export const settled = async () => void (await vi.advanceTimersByTimeAsync(0));
