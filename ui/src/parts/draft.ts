/**
 * A record that is edited while others may edit it, too. Records have a version, and the server refuses a change that
 * was made from an older version. Then the changes of the others are taken into the form, and what was typed here is
 * put on top of them.
 */

import { useState } from "react";
import { Refused } from "../api/http.ts";

/** Somebody else has saved the record since it was read. */
export class ChangedMeanwhile extends Error {
  /** The members that both have changed. */
  readonly fields: string[];

  constructor(fields: string[]) {
    super(fields.join(", "));
    this.fields = fields;
  }
}

interface Draft<T> {
  draft: T;
  change: (part: Partial<T>) => void;
  /** Saves the draft. If others have saved meanwhile, it throws `ChangedMeanwhile` and can be called again. */
  save: (write: (record: T) => Promise<unknown>, read: () => Promise<T>) => Promise<void>;
}

export function useDraft<T extends object>(stored: T): Draft<T> {
  const [base, setBase] = useState(stored);
  const [draft, setDraft] = useState(stored);
  return {
    draft,
    change: (part) => setDraft((now) => ({ ...now, ...part })),
    save: async (write, read) => {
      try {
        await write(draft);
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 409) throw error;
        const newest = await read();
        const mine = differences(base, draft);
        const theirs = differences(base, newest);
        setBase(newest);
        setDraft({ ...newest, ...mine });
        throw new ChangedMeanwhile(Object.keys(mine).filter((field) => field in theirs));
      }
    },
  };
}

/** Members that the server sets by itself. */
const SERVER_MEMBERS = ["_version", "metadata"];

function differences<T extends object>(before: T, after: T): Partial<T> {
  const same = (field: string) => {
    const [one, other] = [before, after].map((record) => JSON.stringify(record[field as keyof T]));
    return one === other;
  };
  return Object.fromEntries(
    Object.entries(after).filter(([field]) => !SERVER_MEMBERS.includes(field) && !same(field)),
  ) as Partial<T>;
}
