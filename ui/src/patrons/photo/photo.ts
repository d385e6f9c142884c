/**
 * The photo in a patron's form. It is stored together with the record, so that no photo is left if the form is not
 * saved.
 */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { removePicture, storePicture } from "../../api/pictures.ts";

type PhotoChoice = { is: "kept" } | { is: "removed" } | { is: "new"; photo: Blob; address: string };

export interface Photo {
  choice: PhotoChoice;
  take: (photo: Blob) => void;
  remove: () => void;
  /** Uploads the chosen photo, and returns the id for the record. */
  store: () => Promise<string | undefined>;
  /** Called after the record was saved: deletes the previous photo. */
  settle: (link: string | undefined) => Promise<void>;
}

export function usePhoto(before: string | undefined): Photo {
  const client = useQueryClient();
  const [choice, setChoice] = useState<PhotoChoice>({ is: "kept" });
  // If the record is refused, the next attempt to save does not upload the photo again.
  const stored = useRef<{ photo: Blob; id: string }>(undefined);
  const forget = useForgetOnLeave();
  useEffect(() => () => void (choice.is === "new" && URL.revokeObjectURL(choice.address)), [choice]);
  const drop = async (id: string | undefined) => {
    if (id === undefined) return;
    // No record refers to the photo any more: an error while deleting it must not prevent the record from being saved.
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

/** Deletes an uploaded photo if the form is left without being saved. */
function useForgetOnLeave() {
  const forget = useRef<() => Promise<void>>(undefined);
  useEffect(() => () => void forget.current?.(), []);
  return forget;
}
