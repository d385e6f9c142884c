/** How titles, holdings and items are written. */

import { ask, Refused } from "../../api/http.ts";
import type { Stored } from "./spec.ts";

export const replace = (path: string) => (record: Stored) =>
  ask(`${path}/${String(record.id)}`, { method: "PUT", body: record });

/**
 * The id of a new record is chosen here: should an answer be lost, the same record is not made twice. What has been made already is
 * replaced by what the form says now.
 */
export const make = (path: string) => async (record: Stored) => {
  try {
    await ask(path, { method: "POST", body: record });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const made = await ask<Stored>(`${path}/${String(record.id)}`).catch(() => undefined);
    if (made === undefined) throw error;
    await replace(path)({ ...record, hrid: made.hrid, _version: made._version });
  }
};

export const read = (path: string, id: string) => () => ask<Stored>(`${path}/${id}`);
