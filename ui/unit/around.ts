/** What a page finds in a browser and Node.js with happy-dom lacks. Each test begins in a browser that has never been here. */

import { beforeEach, vi } from "vitest";
import { Caches, Locks } from "./browser.ts";

// Node.js has it from version 22 on.
Promise.withResolvers ??= <T>() => {
  const parts = {} as PromiseWithResolvers<T>;
  parts.promise = new Promise<T>((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};

// Nobody listens to the tests.
class Silence {
  currentTime = 0;
  destination = {};
  createOscillator = () => ({ frequency: {}, connect: (next: object) => next, start: () => {}, stop: () => {} });
  createGain = () => ({
    gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
    connect: (next: object) => next,
  });
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.resetModules();
  vi.stubGlobal("AudioContext", Silence);
  vi.stubGlobal("caches", new Caches());
  Object.defineProperty(navigator, "locks", { value: new Locks(), configurable: true });
});
