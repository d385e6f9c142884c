/** Creating a MARC record: blank, as a copy of another, or as holdings of a title. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { title } from "../api/inventory.ts";
import { Permitted } from "../inventory/editing/permitted.tsx";
import { clearUnsavedForm } from "../parts/guarded-location.ts";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { derivedDraft, newAuthority, newHoldings, newTitle } from "./beginnings.ts";
import { createMarc, readMarc, useSpecification } from "./calls.ts";
import { MarcEditor } from "./editor.tsx";
import { LocationChoice, NumberChoice } from "./helps.tsx";
import { NEEDS } from "./needs.ts";
import type { Draft, Format } from "./record.ts";
import { describedPath } from "./ways.ts";
import { useMarcWords } from "./words/index.tsx";

export function NewMarc({ format }: { format: Format }) {
  const own = useMarcWords();
  return (
    <Permitted pageName={own.newTitles[format]} needs={NEEDS.make}>
      <NewRecordLoader format={format} />
    </Permitted>
  );
}

function NewRecordLoader({ format }: { format: Format }) {
  const address = new URLSearchParams(useSearch());
  const from = address.get("from") ?? "";
  const instance = address.get("instance") ?? "";
  const specification = useSpecification(format);
  const needsTitle = format === "HOLDINGS" && instance !== "";
  const other = useQuery({
    queryKey: ["marc-begin", from],
    enabled: from !== "",
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => readMarc(from),
  });
  const of = useQuery({ ...title(instance), enabled: needsTitle });
  const waits = specification.isPending || (from !== "" && other.isPending) || (needsTitle && of.isPending);
  const error = specification.error ?? other.error ?? of.error;
  if (error) return <ErrorMessage error={error} />;
  if (waits) return <Loading />;
  const known = { specification: specification.data ?? undefined, today: new Date() };
  const begin = () => {
    if (format === "HOLDINGS") return newHoldings(known, of.data?.hrid ?? "");
    if (format === "AUTHORITY") return newAuthority(known);
    return other.data ? derivedDraft(other.data.record) : newTitle(known);
  };
  return <NewRecordEditor begin={begin()} isDerived={other.data !== undefined} of={of.data?.title} />;
}

function NewRecordEditor({ begin, isDerived, of }: { begin: Draft; isDerived: boolean; of: string | undefined }) {
  const own = useMarcWords();
  const [start] = useState(begin);
  const [, navigate] = useLocation();
  const save = async (draft: Draft): Promise<boolean> => {
    const id = await createMarc(draft);
    const to = await describedPath(draft.format, id);
    clearUnsavedForm();
    navigate(to);
    return true;
  };
  return (
    <MarcEditor
      initial={start}
      save={save}
      titleName={of}
      banner={isDerived ? <p className="banner note">{own.derived}</p> : undefined}
      renderHelpers={(draft, change) => (
        <>
          {draft.format === "HOLDINGS" && <LocationChoice draft={draft} onChange={change} />}
          {draft.format === "AUTHORITY" && <NumberChoice draft={draft} onChange={change} />}
        </>
      )}
    />
  );
}
