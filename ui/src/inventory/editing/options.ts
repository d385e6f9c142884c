/** What a field chooses from. */

import { useQuery } from "@tanstack/react-query";
import { locations } from "../../api/inventory.ts";
import { CHOICES } from "../../api/inventory-lists.ts";
import type { Named } from "../../api/records.ts";
import { useWords } from "../../words/index.tsx";
import { useRecordWords } from "../words/records.tsx";
import type { Source } from "./spec.ts";

export function useOptions(from: Source): readonly Named[] {
  const { statuses } = useWords();
  const { values } = useRecordWords();
  const isListed = typeof from === "string";
  const listed = useQuery({ ...(isListed ? CHOICES[from] : locations), enabled: isListed }).data ?? [];
  if (isListed) return listed;
  return from.map((name) => ({ id: name, name: values[name] ?? statuses[name] ?? name }));
}
