/** The notes that staff have written about a patron. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { htmlToText, newNote, notes, removeNote, storeNote, textToHtml } from "../api/notes.ts";
import { noteTypes } from "../api/patron-lists.ts";
import type { Note, User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { EmptyMessage, ErrorMessage, Loading, ReloadError } from "../parts/states.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { usePatronWords } from "./words/index.tsx";

export function PatronNotes({ user }: { user: User }) {
  const words = usePatronWords();
  const may = useMay();
  const all = useQuery(notes(user.id));
  if (all.isPending) return <Loading />;
  if (all.isLoadingError) return <ErrorMessage error={all.error} retry={() => void all.refetch()} />;
  return (
    <section aria-label={words.tabs.notes}>
      <ReloadError asked={all} />
      {may("notes.item.post", "notes.domain.all", "note.types.collection.get") && (
        <div className="tools">
          <DialogOpener>
            <Button>{words.notes.add}</Button>
            <NoteDialog userId={user.id} />
          </DialogOpener>
        </div>
      )}
      {all.data.length === 0 && <EmptyMessage>{words.notes.none}</EmptyMessage>}
      <ul className="rows">
        {all.data.map((note) => (
          <NoteRow key={note.id} note={note} userId={user.id} />
        ))}
      </ul>
    </section>
  );
}

function NoteRow({ note, userId }: { note: Note; userId: string }) {
  const words = usePatronWords().notes;
  const common = useWords();
  const formats = useFormats();
  const may = useMay();
  const pops = [note.popUpOnCheckOut && words.popsAtCheckOut, note.popUpOnUser && words.popsOnPage].filter(Boolean);
  return (
    <li className="row">
      <div className="what">
        <strong>{note.title}</strong>
        {note.content && <span className="note-words">{htmlToText(note.content)}</span>}
        {pops.length > 0 && <small>{pops.join(", ")}</small>}
      </div>
      <p className="due quiet">
        {note.type}
        {note.metadata?.updatedDate && <small>{formats.day(note.metadata.updatedDate)}</small>}
      </p>
      <div className="actions">
        {may("notes.item.put", "notes.domain.all", "note.types.collection.get") && (
          <DialogOpener>
            <Button kind="quiet" aria-label={`${common.patrons.edit}: ${note.title}`}>
              {common.patrons.edit}
            </Button>
            <NoteDialog userId={userId} stored={note} />
          </DialogOpener>
        )}
        {may("notes.item.delete", "notes.domain.all") && (
          <DialogOpener>
            <Button kind="quiet" aria-label={`${common.remove}: ${note.title}`}>
              {common.remove}
            </Button>
            <RemoveNote note={note} userId={userId} />
          </DialogOpener>
        )}
      </div>
    </li>
  );
}

function NoteDialog({ userId, stored }: { userId: string; stored?: Note }) {
  const words = usePatronWords().notes;
  const common = useWords();
  const client = useQueryClient();
  const types = useQuery(noteTypes).data ?? [];
  const [draft, setDraft] = useState(stored ?? newNote(userId, ""));
  const before = htmlToText(stored?.content ?? "");
  const [text, setText] = useState(before);
  const change = (part: Partial<Note>) => setDraft((now) => ({ ...now, ...part }));
  const typeId = draft.typeId || (types[0]?.id ?? "");
  return (
    <FormDialog
      title={stored ? words.edit : words.add}
      submit={common.save}
      onSubmit={async () => {
        // A content that was not changed keeps its formatting.
        await storeNote({ ...draft, typeId, ...(text !== before && { content: textToHtml(text) }) });
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      <Field label={words.title} value={draft.title} onChange={(title) => change({ title })} isRequired autoFocus />
      <Field label={words.details} value={text} onChange={setText} lines={4} />
      {types.length > 1 && (
        <Choice
          label={words.type}
          options={types.map(({ id, name }) => ({ id, name }))}
          value={typeId || null}
          onChange={(id) => change({ typeId: id })}
        />
      )}
      <CheckboxField value={draft.popUpOnCheckOut} onChange={(popUpOnCheckOut) => change({ popUpOnCheckOut })}>
        {words.popUpAtCheckOut}
      </CheckboxField>
      <CheckboxField value={draft.popUpOnUser} onChange={(popUpOnUser) => change({ popUpOnUser })}>
        {words.popUpOnPage}
      </CheckboxField>
    </FormDialog>
  );
}

function RemoveNote({ note, userId }: { note: Note; userId: string }) {
  const words = usePatronWords().notes;
  const common = useWords();
  const client = useQueryClient();
  return (
    <FormDialog
      title={words.remove}
      submit={common.remove}
      danger
      onSubmit={async () => {
        await removeNote(note, userId);
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      <p>{note.title}</p>
    </FormDialog>
  );
}
