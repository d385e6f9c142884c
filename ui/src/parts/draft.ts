/**
 * A record that is edited while others may edit it, too. Records carry a version; the server refuses a change that was made from
 * an older one. Then what the others changed is taken into the form, and what was typed here stays on top of it.
 */

import { useState } from "react";
import { Refused } from "../api/http.ts";

/** Others were quicker. */
export class ChangedMeanwhile extends Error {
  /** What both have changed. */
  readonly fields: string[];

  constructor(fields: string[]) {
    super(fields.join(", "));
    this.fields = fields;
  }
}

interface Draft<T> {
  draft: T;
  change: (part: Partial<T>) => void;
  /** Writes the draft; when others were quicker, throws `ChangedMeanwhile` and can be called again. */
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

/** What the server keeps account of by itself. */
const KEPT = ["_version", "metadata"];

function differences<T extends object>(before: T, after: T): Partial<T> {
  const same = (field: string) => {
    const [one, other] = [before, after].map((record) => JSON.stringify(record[field as keyof T]));
    return one === other;
  };
  return Object.fromEntries(
    Object.entries(after).filter(([field]) => !KEPT.includes(field) && !same(field)),
  ) as Partial<T>;
}
