/** Editing a stored MARC record. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Refused } from "../api/http.ts";
import { Permitted } from "../inventory/editing/permitted.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { readMarc, readWhenUpdated, replaceMarc, type StoredMarc, useSpecification } from "./calls.ts";
import { ConflictDialog } from "./conflict.tsx";
import { MarcEditor } from "./editor.tsx";
import { compareHeadings, HeadingChangeDialog } from "./heading-change.tsx";
import { NEEDS } from "./needs.ts";
import { type Draft, draftOf, type Format } from "./record.ts";
import { useMarcWords } from "./words/index.tsx";

export function EditMarc({ format, id }: { format: Format; id: string }) {
  const own = useMarcWords();
  return (
    <Permitted pageName={own.titles[format]} needs={NEEDS.change}>
      <EditorLoader format={format} id={id} />
    </Permitted>
  );
}

function EditorLoader({ format, id }: { format: Format; id: string }) {
  const asked = useQuery({
    queryKey: ["marc", id],
    // Not reloaded while somebody edits it, and always loaded anew when the editor opens.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: () => readMarc(id),
  });
  const specification = useSpecification(format);
  if (asked.isPending || specification.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  if (specification.isLoadingError)
    return <ErrorMessage error={specification.error} retry={() => void specification.refetch()} />;
  return <StoredRecordEditor id={id} stored={asked.data} />;
}

interface EditState {
  stored: StoredMarc;
  /** The unsaved draft, if the user keeps it although somebody else has saved the record. */
  written?: Draft;
  /** React key of the editor: another value starts it with the new record. */
  editorKey: number;
}

function StoredRecordEditor({ id, stored: first }: { id: string; stored: StoredMarc }) {
  const client = useQueryClient();
  const [now, setNow] = useState<EditState>({ stored: first, editorKey: 0 });
  const [other, setOther] = useState<{ stored: StoredMarc; mine: Draft }>();
  const [asks, setAsks] = useState<{ draft: Draft; answer: (go: boolean) => void }>();
  const { stored, written, editorKey } = now;
  const start = (stored: StoredMarc, written?: Draft) =>
    setNow({ stored, ...(written && { written }), editorKey: editorKey + 1 });
  const save = async (draft: Draft): Promise<boolean> => {
    if (compareHeadings(stored.record, draft)) {
      const go = await new Promise<boolean>((answer) => setAsks({ draft, answer }));
      setAsks(undefined);
      if (!go) return false;
    }
    try {
      await replaceMarc(draft, stored);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 409) throw error;
      setOther({ stored: await readMarc(id), mine: draft });
      return false;
    }
    const saved = await readWhenUpdated(id);
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "marc" });
    start(saved);
    return true;
  };
  return (
    <>
      <MarcEditor
        key={editorKey}
        initial={draftOf(stored.record)}
        {...(written && { written })}
        stored={stored.record}
        save={save}
      />
      {asks && <HeadingChangeDialog id={id} record={stored.record} draft={asks.draft} answer={asks.answer} />}
      {other && (
        <ConflictDialog
          theirs={other.stored.record}
          mine={other.mine}
          onTake={() => {
            start(other.stored);
            setOther(undefined);
          }}
          onKeep={() => {
            start(other.stored, other.mine);
            setOther(undefined);
          }}
          onClose={() => setOther(undefined)}
        />
      )}
    </>
  );
}
