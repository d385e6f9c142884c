/** Loads a record for its form. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorMessage, Loading } from "../../parts/states.tsx";
import type { RecordJson } from "./spec.ts";
import { readRecord } from "./writing.ts";

interface Props {
  path: string;
  id: string;
  children: (record: RecordJson) => ReactNode;
}

export function StoredRecord({ path, id, children }: Props) {
  const asked = useQuery({
    queryKey: ["record-form", path, id],
    // Never loaded again by itself: a form must not change while somebody is typing in it. It begins with the stored
    // record.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: readRecord(path, id),
  });
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return children(asked.data);
}
