/**
 * Parts of the desk whose code is loaded when they are first shown. Without a connection their code is asked for again
 * until it is there: React remembers for ever that the code of a part could not be loaded.
 */

import { lazy } from "react";
import { sendRequest } from "../api/wire.ts";

const RETRY_MS = 2_000;

/** As `lazy`, for a page or part that a lost connection only delays. */
export const later: typeof lazy = (load) => lazy(() => loadPatiently(load));

/**
 * Calls `load` until it succeeds.
 *
 * @throws what `load` throws while the server is there: a newer desk may have taken the place of this one
 */
export async function loadPatiently<T>(load: () => Promise<T>): Promise<T> {
  let wasReachable = false;
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (wasReachable) throw error;
      wasReachable = await isServerReachable();
      if (!wasReachable) await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}

const isServerReachable = () =>
  sendRequest("/_/proxy/health", { timeoutMs: RETRY_MS }).then(
    () => true,
    () => false,
  );
