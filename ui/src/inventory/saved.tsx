/** Saved searches, kept by name in this browser for one user of one library. */

import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link } from "wouter";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { TextDialog } from "../parts/text-dialog.tsx";
import { useMember, workplace } from "../shell/session.ts";
import { store } from "../shell/store.ts";
import { hasSearch, type TitleSearch, toAddress } from "./asked.ts";
import { useInventoryWords } from "./words/index.tsx";

interface SavedSearch {
  name: string;
  /** The query string of the search, without the page number. */
  search: string;
}

const savedSearches = store<Record<string, SavedSearch[]>>(
  {},
  { name: "octavo.searches", in: () => localStorage, isShared: true },
);

function useSavedSearches(): [all: SavedSearch[], set: (all: SavedSearch[]) => void] {
  const { user } = useMember();
  const whose = `${workplace.use().tenant}/${user.id}`;
  const all = savedSearches.use()[whose] ?? [];
  return [all, (all) => savedSearches.set((now) => ({ ...now, [whose]: all }))];
}

export function SavedSearches({ asked }: { asked: TitleSearch }) {
  const own = useInventoryWords().saved;
  return (
    <DialogOpener>
      <Button>{own.title}</Button>
      <SavedSearchDialog asked={asked} />
    </DialogOpener>
  );
}

function SavedSearchDialog({ asked }: { asked: TitleSearch }) {
  const own = useInventoryWords().saved;
  const [isSaved, setSaved] = useState(false);
  return (
    <TextDialog title={own.title} isSent={isSaved}>
      {(close) => (
        <>
          <SavedSearchList close={close} />
          {hasSearch(asked) ? (
            <SaveSearchForm asked={asked} setSaved={setSaved} />
          ) : (
            <p className="help">{own.nothing}</p>
          )}
        </>
      )}
    </TextDialog>
  );
}

function SavedSearchList({ close }: { close: () => void }) {
  const own = useInventoryWords().saved;
  const [all, set] = useSavedSearches();
  if (all.length === 0) return <p className="fact">{own.none}</p>;
  return (
    <ul className="saved-searches">
      {all.map(({ name, search }) => (
        <li key={name}>
          <Link href={`/inventory?${search}`} onClick={close}>
            {name}
          </Link>
          <Button
            kind="quiet"
            aria-label={own.remove(name)}
            onPress={() => set(all.filter((one) => one.name !== name))}
          >
            <span className="cross" aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface SaveSearchProps {
  asked: TitleSearch;
  setSaved: (isSaved: boolean) => void;
}

function SaveSearchForm({ asked, setSaved }: SaveSearchProps) {
  const own = useInventoryWords().saved;
  const [all, set] = useSavedSearches();
  const [name, setName] = useState(asked.text);
  const type = (text: string) => {
    setName(text);
    setSaved(false);
  };
  const save = () => {
    const saved = { name: name.trim(), search: String(toAddress(asked)) };
    const others = all.filter((one) => one.name !== saved.name);
    set([...others, saved].toSorted((one, other) => one.name.localeCompare(other.name)));
    setName("");
    setSaved(true);
  };
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) save();
      }}
    >
      <Field label={own.name} help={own.here} value={name} onChange={type} isRequired />
      <div className="buttons">
        <Button kind="primary" type="submit">
          {own.save}
        </Button>
      </div>
    </Form>
  );
}
