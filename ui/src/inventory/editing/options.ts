/** The options of a field. */

import { useQuery } from "@tanstack/react-query";
import { locations } from "../../api/inventory.ts";
import { CHOICE_LISTS } from "../../api/inventory-lists.ts";
import type { NamedRecord } from "../../api/records.ts";
import { useWords } from "../../words/index.tsx";
import { useRecordWords } from "../words/records.tsx";
import type { ChoiceSource } from "./spec.ts";

export function useOptions(from: ChoiceSource): readonly NamedRecord[] {
  const { statuses } = useWords();
  const { values } = useRecordWords();
  const isListed = typeof from === "string";
  const listed = useQuery({ ...(isListed ? CHOICE_LISTS[from] : locations), enabled: isListed }).data ?? [];
  if (isListed) return listed;
  return from.map((name) => ({ id: name, name: values[name] ?? statuses[name] ?? name }));
}
