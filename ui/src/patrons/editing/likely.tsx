/**
 * Lists stored patrons who may be the same person as the one in the form, with what they have in common and links to
 * their pages.
 */

import { useQuery } from "@tanstack/react-query";
import { patronGroups } from "../../api/library.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { patronName } from "../../parts/portrait.tsx";
import { useDebounced } from "../../parts/settled.ts";
import { useFormats } from "../../words/index.tsx";
import { usePatronWords } from "../words/index.tsx";
import { type ComparedFields, dayOfBirth, hasSameIdentifier, type Namesake, namesakes } from "./namesakes.ts";

/** Shown while somebody types in the form. */
export function LikelyNamesakes({ compared }: { compared: ComparedFields }) {
  const words = usePatronWords().namesakes;
  const settled = useDebounced(JSON.stringify(compared));
  const found = useQuery(namesakes(JSON.parse(settled) as ComparedFields)).data ?? [];
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
              {patronName(user)}
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

/** Shown before the form is saved. */
export function NamesakeDialog({ found, onBack, onGoOn }: Props) {
  const words = usePatronWords().namesakes;
  const taken = found.some(hasSameIdentifier);
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
