/** The photo of a patron while their record is written: it is stored with it, so that none is kept of whoever leaves the form. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { removePicture, storePicture } from "../../api/pictures.ts";

type Choice = { is: "kept" } | { is: "removed" } | { is: "new"; photo: Blob; address: string };

export interface Photo {
  choice: Choice;
  take: (photo: Blob) => void;
  remove: () => void;
  /** Stores what was chosen, and answers the link that the record gets. */
  store: () => Promise<string | undefined>;
  /** After the record was saved with that link: the picture before it goes. */
  settle: (link: string | undefined) => Promise<void>;
}

export function usePhoto(before: string | undefined): Photo {
  const client = useQueryClient();
  const [choice, setChoice] = useState<Choice>({ is: "kept" });
  // Should the record be refused, the next attempt to save it stores no second picture.
  const stored = useRef<{ photo: Blob; id: string }>(undefined);
  const forget = useForgetting();
  useEffect(() => () => void (choice.is === "new" && URL.revokeObjectURL(choice.address)), [choice]);
  const drop = async (id: string | undefined) => {
    if (id === undefined) return;
    // The patron has no link to it any more: what is left of it nobody sees, and the record is saved all the same.
    await removePicture(id).catch(() => {});
    client.removeQueries({ queryKey: ["picture", id] });
  };
  const takeBack = async () => {
    const { id } = stored.current ?? {};
    stored.current = undefined;
    forget.current = undefined;
    await drop(id);
  };
  return {
    choice,
    take: (photo) => {
      void takeBack();
      setChoice({ is: "new", photo, address: URL.createObjectURL(photo) });
    },
    remove: () => {
      void takeBack();
      setChoice(before === undefined ? { is: "kept" } : { is: "removed" });
    },
    store: async () => {
      if (choice.is !== "new") return choice.is === "removed" ? undefined : before;
      if (stored.current?.photo !== choice.photo) {
        stored.current = { photo: choice.photo, id: await storePicture(choice.photo) };
        forget.current = takeBack;
      }
      return stored.current.id;
    },
    settle: async (link) => {
      forget.current = undefined;
      if (choice.is !== "kept" && before !== link) await drop(before);
    },
  };
}

/** What is done when the form is left without being saved. */
function useForgetting() {
  const forget = useRef<() => Promise<void>>(undefined);
  useEffect(() => () => void forget.current?.(), []);
  return forget;
}
