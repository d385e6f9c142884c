/** Stores titles, holdings and items. */

import { ask, Refused } from "../../api/http.ts";
import type { RecordJson } from "./spec.ts";

export const replaceRecord = (path: string) => (record: RecordJson) =>
  ask(`${path}/${String(record.id)}`, { method: "PUT", body: record });

/**
 * Creates a record. Its id is chosen by the desk, so that it is not created twice if an answer is lost: a record that
 * has been created already is replaced by the current values of the form.
 */
export const createRecord = (path: string) => async (record: RecordJson) => {
  try {
    await ask(path, { method: "POST", body: record });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const made = await ask<RecordJson>(`${path}/${String(record.id)}`).catch(() => undefined);
    if (made === undefined) throw error;
    await replaceRecord(path)({ ...record, hrid: made.hrid, _version: made._version });
  }
};

export const readRecord = (path: string, id: string) => () => ask<RecordJson>(`${path}/${id}`);
