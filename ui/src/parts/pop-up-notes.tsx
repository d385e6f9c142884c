/** Notes that staff must have seen before they go on: above the page, until somebody closes them. Once each time it is mounted. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { notes, wordsOf } from "../api/notes.ts";
import type { User } from "../api/records.ts";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { nameOf } from "./portrait.tsx";

interface Props {
  user: User;
  /** Where one is. */
  on: "popUpOnCheckOut" | "popUpOnUser";
}

export function PopUpNotes({ user, on }: Props) {
  const words = useWords();
  const may = useMay();
  const [seen, setSeen] = useState(false);
  const all = useQuery({ ...notes(user.id), enabled: may("notes.collection.get.by.status") }).data;
  const urgent = all?.filter((note) => note[on]) ?? [];
  const close = () => setSeen(true);
  return (
    <Dialog title={words.patron.noted(nameOf(user))} isOpen={!seen && urgent.length > 0} onClose={close}>
      {() => (
        <>
          {urgent.map(({ id, title, content }) => (
            <div className="banner note" key={id}>
              <p>
                <strong>{title}</strong>
              </p>
              {content && <p className="note-words">{wordsOf(content)}</p>}
            </div>
          ))}
          <div className="buttons">
            <Button kind="primary" autoFocus onPress={close}>
              {words.patron.noteRead}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
