/** Searches that somebody comes back to. Each is kept by name in this browser, for one user of one library. */

import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link } from "wouter";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Opens } from "../parts/opens.tsx";
import { place, useMember } from "../shell/session.ts";
import { store } from "../shell/store.ts";
import { type Asked, isSomething, written } from "./asked.ts";
import { useInventoryWords } from "./words/index.tsx";

interface Saved {
  name: string;
  /** The address of the search, without the page's. */
  search: string;
}

const kept = store<Record<string, Saved[]>>({}, { name: "octavo.searches", in: () => localStorage });

function useSaved(): [all: Saved[], set: (all: Saved[]) => void] {
  const { user } = useMember();
  const whose = `${place.use().tenant}/${user.id}`;
  const all = kept.use()[whose] ?? [];
  return [all, (all) => kept.set((now) => ({ ...now, [whose]: all }))];
}

export function SavedSearches({ asked }: { asked: Asked }) {
  const own = useInventoryWords().saved;
  return (
    <Opens>
      <Button>{own.title}</Button>
      <Dialog title={own.title}>
        {(close) => (
          <>
            <List close={close} />
            {isSomething(asked) ? <Save asked={asked} /> : <p className="help">{own.nothing}</p>}
          </>
        )}
      </Dialog>
    </Opens>
  );
}

function List({ close }: { close: () => void }) {
  const own = useInventoryWords().saved;
  const [all, set] = useSaved();
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

function Save({ asked }: { asked: Asked }) {
  const own = useInventoryWords().saved;
  const [all, set] = useSaved();
  const [name, setName] = useState(asked.text);
  const save = () => {
    const saved = { name: name.trim(), search: String(written(asked)) };
    const others = all.filter((one) => one.name !== saved.name);
    set([...others, saved].toSorted((one, other) => one.name.localeCompare(other.name)));
    setName("");
  };
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) save();
      }}
    >
      <Field label={own.name} help={own.here} value={name} onChange={setName} isRequired />
      <div className="buttons">
        <Button kind="primary" type="submit">
          {own.save}
        </Button>
      </div>
    </Form>
  );
}
