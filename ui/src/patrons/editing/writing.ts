/** Stores a patron's record. FOLIO's users have no version, so the record is read again before it is replaced. */

import { useRef } from "react";
import { ask, Refused } from "../../api/http.ts";
import type { User } from "../../api/records.ts";
import { type Draft, toDraft, toUser } from "./draft.ts";

interface PatronWriting {
  id: string;
  write: (draft: Draft) => Promise<void>;
  readAgain: () => Promise<Draft>;
}

export function usePatronWriting(read: User | undefined): PatronWriting {
  // The id is chosen here, so that a patron is not registered twice if an answer is lost.
  const id = useRef(read?.id ?? crypto.randomUUID()).current;
  const seen = useRef(read);
  return {
    id,
    write: async (draft) => {
      const record = { ...toUser(draft), id };
      if (seen.current === undefined) return createPatron(record);
      const now = await ask<User>(`/users/${id}`);
      const isAsSeen = JSON.stringify(now) === JSON.stringify(seen.current);
      seen.current = now;
      if (!isAsSeen) throw new Refused(409, []);
      await ask(`/users/${id}`, { method: "PUT", body: record });
    },
    readAgain: async () => toDraft(seen.current ?? {}),
  };
}

async function createPatron(record: User): Promise<void> {
  try {
    await ask("/users", { method: "POST", body: record });
  } catch (error) {
    const isMade =
      error instanceof Refused && error.refusals.some(({ message }) => /this id already exists/.test(message));
    if (!isMade) throw error;
    await ask(`/users/${record.id}`, { method: "PUT", body: record });
  }
}
