/** A stored MARC record is changed. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Refused } from "../api/http.ts";
import { Permitted } from "../inventory/editing/permitted.tsx";
import { Loading, Trouble } from "../parts/states.tsx";
import { readMarc, replaceMarc, type StoredMarc, settled, useSpecification } from "./calls.ts";
import { Conflict } from "./conflict.tsx";
import { Editor } from "./editor.tsx";
import { HeadingChange, headingChange } from "./heading-change.tsx";
import { NEEDS } from "./needs.ts";
import { type Draft, draftOf, type Format } from "./record.ts";
import { useMarcWords } from "./words/index.tsx";

export function EditMarc({ format, id }: { format: Format; id: string }) {
  const own = useMarcWords();
  return (
    <Permitted to={own.titles[format]} needs={NEEDS.change}>
      <Read format={format} id={id} />
    </Permitted>
  );
}

function Read({ format, id }: { format: Format; id: string }) {
  const asked = useQuery({
    queryKey: ["marc", id],
    // It must not change under the hands of whoever writes in it, and begins with what is stored now.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: () => readMarc(id),
  });
  const specification = useSpecification(format);
  if (asked.isPending || specification.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  if (specification.error) return <Trouble error={specification.error} retry={() => void specification.refetch()} />;
  return <Change id={id} stored={asked.data} />;
}

interface Now {
  stored: StoredMarc;
  /** What was written before somebody else had saved the record. */
  written?: Draft;
  /** Another one begins the editor anew. */
  round: number;
}

function Change({ id, stored: first }: { id: string; stored: StoredMarc }) {
  const client = useQueryClient();
  const [now, setNow] = useState<Now>({ stored: first, round: 0 });
  const [other, setOther] = useState<{ stored: StoredMarc; mine: Draft }>();
  const [asks, setAsks] = useState<{ draft: Draft; answer: (go: boolean) => void }>();
  const { stored, written, round } = now;
  const start = (stored: StoredMarc, written?: Draft) =>
    setNow({ stored, ...(written && { written }), round: round + 1 });
  const save = async (draft: Draft): Promise<boolean> => {
    if (headingChange(stored.record, draft)) {
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
    const saved = await settled(id);
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "marc" });
    start(saved);
    return true;
  };
  return (
    <>
      <Editor
        key={round}
        start={draftOf(stored.record)}
        {...(written && { written })}
        stored={stored.record}
        save={save}
      />
      {asks && <HeadingChange id={id} record={stored.record} draft={asks.draft} answer={asks.answer} />}
      {other && (
        <Conflict
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
