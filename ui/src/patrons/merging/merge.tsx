/** Merges a duplicate of this patron with them, and undoes that. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { refusing } from "../../api/http.ts";
import type { UserMerge } from "../../api/octavo.ts";
import { patron } from "../../api/patrons.ts";
import type { User } from "../../api/records.ts";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { allSaved } from "../../parts/guarded-location.ts";
import { Opens } from "../../parts/opens.tsx";
import { PatronFinder } from "../../parts/patron-finder.tsx";
import { nameOf } from "../../parts/portrait.tsx";
import { Loading, Trouble } from "../../parts/states.tsx";
import { Tick } from "../../parts/tick.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats } from "../../words/index.tsx";
import { counted, merge, merges, preview, undo } from "./merging.ts";
import { useMergeWords } from "./words/index.tsx";

export function MergePatron({ user }: { user: User }) {
  const words = useMergeWords();
  const may = useMay();
  if (!may("octavo.users.merges.item.post")) return null;
  return (
    <Opens>
      <Button>{words.do}</Button>
      <MergeDialog user={user} />
    </Opens>
  );
}

function MergeDialog({ user }: { user: User }) {
  const words = useMergeWords();
  const done = useDone(user);
  const [duplicate, setDuplicate] = useState<User>();
  const [takeBarcode, setTakeBarcode] = useState(false);
  return (
    <FormDialog
      title={words.title(nameOf(user))}
      submit={words.submit}
      danger
      onSubmit={async () => {
        if (!duplicate) throw refusing(422, words.whom);
        await merge(user.id, duplicate.id, takeBarcode);
        done(words.done(nameOf(duplicate)));
      }}
    >
      <p>{words.help}</p>
      <PatronFinder label={words.duplicate} onChange={setDuplicate} />
      {duplicate && <WhatWouldHappen kept={user.id} duplicate={duplicate} />}
      {duplicate?.barcode && duplicate.id !== user.id && (
        <Tick value={takeBarcode} onChange={setTakeBarcode}>
          {words.takeBarcode(duplicate.barcode)}
        </Tick>
      )}
      <Earlier user={user} />
    </FormDialog>
  );
}

/** Goes to the patron's page, where all that went over stands. */
function useDone(user: User): (said: string) => void {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return (said) => {
    announce(said);
    allSaved();
    void client.invalidateQueries();
    navigate(`/patrons/${user.id}`);
  };
}

function WhatWouldHappen({ kept, duplicate }: { kept: string; duplicate: User }) {
  const words = useMergeWords();
  const asked = useQuery(preview(kept, duplicate.id));
  if (asked.error) return <Trouble error={asked.error} />;
  if (asked.isPending) return <Loading />;
  const { moved, obstacles } = asked.data;
  if (obstacles.length > 0) {
    return (
      <div className="banner warn">
        <p>{words.obstacles}</p>
        <ul className="reasons">
          {obstacles.map(({ message, parameters = [] }) => {
            const title = parameters.find(({ key }) => key === "title")?.value ?? "";
            return <li key={message + title}>{words.obstacle(message, title)}</li>;
          })}
        </ul>
      </div>
    );
  }
  return (
    <div className="banner">
      <p>{counted(moved).length > 0 ? words.moves(nameOf(duplicate)) : words.movesNothing(nameOf(duplicate))}</p>
      <Counts moved={moved} />
    </div>
  );
}

function Counts({ moved }: { moved: UserMerge["moved"] }) {
  const words = useMergeWords().counts;
  return (
    <ul className="reasons">
      {counted(moved).map(([kind, count]) => (
        <li key={kind}>{words[kind](count)}</li>
      ))}
    </ul>
  );
}

/** The merges that can be undone. */
function Earlier({ user }: { user: User }) {
  const words = useMergeWords();
  const may = useMay();
  const mayUndo = may("octavo.users.merges.collection.get", "octavo.users.merges.undo.post");
  const asked = useQuery({ ...merges(user.id), enabled: mayUndo });
  const open = asked.data?.filter(({ undoneDate }) => undoneDate === undefined) ?? [];
  if (open.length === 0) return null;
  return (
    <section aria-label={words.earlier}>
      <h3>{words.earlier}</h3>
      <ul className="rows">
        {open.map((one) => (
          <EarlierMerge key={one.id} user={user} made={one} />
        ))}
      </ul>
    </section>
  );
}

function EarlierMerge({ user, made }: { user: User; made: UserMerge }) {
  const words = useMergeWords();
  const { day } = useFormats();
  const done = useDone(user);
  const duplicate = useQuery(patron(made.duplicateUserId)).data;
  const [error, setError] = useState<unknown>();
  const name = duplicate ? nameOf(duplicate) : words.duplicate;
  return (
    <li className="row">
      <span>{words.made(name, day(made.date))}</span>
      <Button
        aria-label={`${words.undo}: ${name}`}
        onPress={() => undo(made).then(() => done(words.undone(name)), setError)}
      >
        {words.undo}
      </Button>
      {error ? <Trouble error={error} /> : null}
    </li>
  );
}
