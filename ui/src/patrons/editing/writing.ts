/** How a patron's record is written. FOLIO gives users no version, so the record is read once more before it is replaced. */

import { useRef } from "react";
import { ask, Refused } from "../../api/http.ts";
import type { User } from "../../api/records.ts";
import { type Draft, finished, laidOpen } from "./draft.ts";

interface Writing {
  id: string;
  write: (draft: Draft) => Promise<void>;
  readAgain: () => Promise<Draft>;
}

export function useWriting(read: User | undefined): Writing {
  // Chosen here: should an answer be lost, the same patron is not registered twice.
  const id = useRef(read?.id ?? crypto.randomUUID()).current;
  const seen = useRef(read);
  return {
    id,
    write: async (draft) => {
      const record = { ...finished(draft), id };
      if (seen.current === undefined) return make(record);
      const now = await ask<User>(`/users/${id}`);
      const isAsSeen = JSON.stringify(now) === JSON.stringify(seen.current);
      seen.current = now;
      if (!isAsSeen) throw new Refused(409, []);
      await ask(`/users/${id}`, { method: "PUT", body: record });
    },
    readAgain: async () => laidOpen(seen.current ?? {}),
  };
}

async function make(record: User): Promise<void> {
  try {
    await ask("/users", { method: "POST", body: record });
  } catch (error) {
    const isMade =
      error instanceof Refused && error.refusals.some(({ message }) => /this id already exists/.test(message));
    if (!isMade) throw error;
    await ask(`/users/${record.id}`, { method: "PUT", body: record });
  }
}
