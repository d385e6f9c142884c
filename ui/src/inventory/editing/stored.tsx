/** Reads a record for its form. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loading, Trouble } from "../../parts/states.tsx";
import type { Stored } from "./spec.ts";
import { read } from "./writing.ts";

interface Props {
  path: string;
  id: string;
  children: (record: Stored) => ReactNode;
}

export function StoredRecord({ path, id, children }: Props) {
  const asked = useQuery({
    queryKey: ["record-form", path, id],
    // A form must not be filled anew under the hands of whoever writes in it, and begins with what is stored now.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: read(path, id),
  });
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  return children(asked.data);
}
