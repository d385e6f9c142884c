/** Who may be the one that is written about: what tells them apart, what they have in common, and the way to their pages. */

import { useQuery } from "@tanstack/react-query";
import { patronGroups } from "../../api/library.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { nameOf } from "../../parts/portrait.tsx";
import { useSettled } from "../../parts/settled.ts";
import { useFormats } from "../../words/index.tsx";
import { usePatronWords } from "../words/index.tsx";
import { type Compared, dayOfBirth, isTaken, type Namesake, namesakes } from "./namesakes.ts";

/** While one types. */
export function Likely({ compared }: { compared: Compared }) {
  const words = usePatronWords().namesakes;
  const settled = useSettled(JSON.stringify(compared));
  const found = useQuery(namesakes(JSON.parse(settled) as Compared)).data ?? [];
  return (
    <div role="status">
      {found.length > 0 && (
        <div className="banner warn">
          <p>
            <strong>{words.maybe}</strong>
          </p>
          <Namesakes found={found} />
        </div>
      )}
    </div>
  );
}

function Namesakes({ found }: { found: readonly Namesake[] }) {
  const words = usePatronWords().namesakes;
  const formats = useFormats();
  const groups = useQuery(patronGroups).data;
  return (
    <ul className="namesakes">
      {found.map(({ user, same }) => {
        const born = dayOfBirth(user.personal?.dateOfBirth);
        return (
          <li key={user.id}>
            <a href={`/desk/patrons/${user.id}`} target="_blank" rel="noreferrer">
              {nameOf(user)}
            </a>
            <span>
              {[
                born ? words.born(formats.date(born)) : words.noBirth,
                groups?.find(({ id }) => id === user.patronGroup)?.group,
                user.barcode ?? words.noBarcode,
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
            <small>{same.map((one) => words.same[one]).join(", ")}</small>
          </li>
        );
      })}
    </ul>
  );
}

interface Props {
  found: readonly Namesake[];
  onBack: () => void;
  onGoOn: () => void;
}

/** Before it is saved. */
export function IsItOneOfThese({ found, onBack, onGoOn }: Props) {
  const words = usePatronWords().namesakes;
  const taken = found.some(isTaken);
  return (
    <Dialog title={words.title} isOpen onClose={onBack}>
      {() => (
        <>
          <p>{words.help}</p>
          <Namesakes found={found} />
          {taken && <p className="banner bad">{words.isTaken}</p>}
          <div className="buttons">
            <Button autoFocus onPress={onBack}>
              {words.back}
            </Button>
            {!taken && (
              <Button kind="primary" onPress={onGoOn}>
                {words.goOn}
              </Button>
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}
