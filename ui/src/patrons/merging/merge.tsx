/** Merges the record of a duplicate into this patron's, and undoes earlier merges. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { createRefusal } from "../../api/http.ts";
import type { UserMerge } from "../../api/octavo.ts";
import { patron } from "../../api/patrons.ts";
import type { User } from "../../api/records.ts";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { clearUnsavedForm } from "../../parts/guarded-location.ts";
import { DialogOpener } from "../../parts/opens.tsx";
import { PatronFinder } from "../../parts/patron-finder.tsx";
import { patronName } from "../../parts/portrait.tsx";
import { ErrorMessage, Loading } from "../../parts/states.tsx";
import { CheckboxField } from "../../parts/tick.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats } from "../../words/index.tsx";
import { countMoved, mergePatrons, mergePreview, merges, undoMerge } from "./merging.ts";
import { useMergeWords } from "./words/index.tsx";

export function MergePatron({ user }: { user: User }) {
  const words = useMergeWords();
  const may = useMay();
  if (!may("octavo.users.merges.item.post")) return null;
  return (
    <DialogOpener>
      <Button>{words.do}</Button>
      <MergeDialog user={user} />
    </DialogOpener>
  );
}

function MergeDialog({ user }: { user: User }) {
  const words = useMergeWords();
  const done = useMergeDone(user);
  const [duplicate, setDuplicate] = useState<User>();
  const [takeBarcode, setTakeBarcode] = useState(false);
  return (
    <FormDialog
      title={words.title(patronName(user))}
      submit={words.submit}
      danger
      onSubmit={async () => {
        if (!duplicate) throw createRefusal(422, words.whom);
        await mergePatrons(user.id, duplicate.id, takeBarcode);
        done(words.done(patronName(duplicate)));
      }}
    >
      <p>{words.help}</p>
      <PatronFinder label={words.duplicate} onChange={setDuplicate} />
      {duplicate && <MergePreviewList kept={user.id} duplicate={duplicate} />}
      {duplicate?.barcode && duplicate.id !== user.id && (
        <CheckboxField value={takeBarcode} onChange={setTakeBarcode}>
          {words.takeBarcode(duplicate.barcode)}
        </CheckboxField>
      )}
      <EarlierMerges user={user} />
    </FormDialog>
  );
}

/** Returns to the patron's page, which now has everything that was moved. */
function useMergeDone(user: User): (said: string) => void {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return (said) => {
    announce(said);
    clearUnsavedForm();
    void client.invalidateQueries();
    navigate(`/patrons/${user.id}`);
  };
}

function MergePreviewList({ kept, duplicate }: { kept: string; duplicate: User }) {
  const words = useMergeWords();
  const asked = useQuery(mergePreview(kept, duplicate.id));
  if (asked.error) return <ErrorMessage error={asked.error} />;
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
      <p>
        {countMoved(moved).length > 0 ? words.moves(patronName(duplicate)) : words.movesNothing(patronName(duplicate))}
      </p>
      <MovedCounts moved={moved} />
    </div>
  );
}

function MovedCounts({ moved }: { moved: UserMerge["moved"] }) {
  const words = useMergeWords().counts;
  return (
    <ul className="reasons">
      {countMoved(moved).map(([kind, count]) => (
        <li key={kind}>{words[kind](count)}</li>
      ))}
    </ul>
  );
}

/** Earlier merges that can be undone. */
function EarlierMerges({ user }: { user: User }) {
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
          <EarlierMerge key={one.id} user={user} earlierMerge={one} />
        ))}
      </ul>
    </section>
  );
}

function EarlierMerge({ user, earlierMerge }: { user: User; earlierMerge: UserMerge }) {
  const words = useMergeWords();
  const { day } = useFormats();
  const done = useMergeDone(user);
  const duplicate = useQuery(patron(earlierMerge.duplicateUserId)).data;
  const [error, setError] = useState<unknown>();
  const name = duplicate ? patronName(duplicate) : words.duplicate;
  return (
    <li className="row">
      <span>{words.made(name, day(earlierMerge.date))}</span>
      <Button
        aria-label={`${words.undo}: ${name}`}
        onPress={() => undoMerge(earlierMerge).then(() => done(words.undone(name)), setError)}
      >
        {words.undo}
      </Button>
      {error ? <ErrorMessage error={error} /> : null}
    </li>
  );
}
