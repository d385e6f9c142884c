/** The positions in a request queue that a request may take. The server checks the same. */

import type { PatronRequest } from "../api/records.ts";

/**
 * The position that a key with Alt moves a request to: up or down, to the front of the requests that have not begun, or
 * to the end.
 */
export function targetIndex(key: string, index: number, requests: readonly PatronRequest[]): number | undefined {
  switch (key) {
    case "ArrowUp":
      return index - 1;
    case "ArrowDown":
      return index + 1;
    case "Home":
      return requests.findIndex((request) => !hasBegun(request));
    case "End":
      return requests.length - 1;
    default:
      return undefined;
  }
}

/** A request whose fulfilment has begun stays before the others. */
export const canStandAt = (requests: readonly PatronRequest[], from: number, to: number) =>
  requests[to] !== undefined && !hasBegun(requests[from]) && !hasBegun(requests[to]);

export function hasBegun(request: PatronRequest | undefined): boolean {
  return request !== undefined && request.status !== "Open - Not yet filled";
}

export function moveInList<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1));
}
