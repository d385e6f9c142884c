/** Parts of a browser that Node.js with happy-dom lacks. Each test begins with empty storage and fresh modules. */

import { beforeEach, vi } from "vitest";
import { Caches, Locks } from "./browser.ts";

// Node.js has it from version 22 on.
Promise.withResolvers ??= <T>() => {
  const parts = {} as PromiseWithResolvers<T>;
  parts.promise = new Promise<T>((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};

// Replaces the browser's audio, since nobody listens to the tests.
class SilentAudioContext {
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
  vi.stubGlobal("AudioContext", SilentAudioContext);
  vi.stubGlobal("caches", new Caches());
  Object.defineProperty(navigator, "locks", { value: new Locks(), configurable: true });
});
