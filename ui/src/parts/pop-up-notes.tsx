/** Shows the pop-up notes of a patron in a dialog until staff close it, once each time the component is mounted. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { htmlToText, notes } from "../api/notes.ts";
import type { User } from "../api/records.ts";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { patronName } from "./portrait.tsx";

interface Props {
  user: User;
  /** The page that is open: check-out, or the page of the patron. */
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
    <Dialog title={words.patron.noted(patronName(user))} isOpen={!seen && urgent.length > 0} onClose={close}>
      {() => (
        <>
          {urgent.map(({ id, title, content }) => (
            <div className="banner note" key={id}>
              <p>
                <strong>{title}</strong>
              </p>
              {content && <p className="note-words">{htmlToText(content)}</p>}
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
