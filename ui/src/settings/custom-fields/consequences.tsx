/** Warnings: values that patrons lose when a custom field or an option is deleted. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { ask } from "../../api/http.ts";
import { recordQuery } from "../../api/settings.ts";
import { ErrorMessage } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import type { SettingRecord } from "../kind.ts";
import { type FieldOption, customFields as kind, optionsOf } from "../kinds/custom-fields.ts";
import { useSettingsWords } from "../words/index.tsx";

/** Number of patrons that have a value in a field, or an option; never cached. */
const patronCount = (path: string) =>
  queryOptions({
    queryKey: ["settings", kind.path, "held", path],
    gcTime: 0,
    staleTime: 0,
    queryFn: async () => (await ask<{ count: number }>(`${kind.path}/${path}/stats`)).count,
  });

/** Before a field is deleted. */
export function DeletedValuesWarning({ field }: { field: SettingRecord }) {
  const { customField: words } = useSettingsWords();
  const asked = useQuery(patronCount(field.id ?? ""));
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return (
    <p role="status">
      <strong>{asked.data === undefined ? words.counting : words.values(asked.data)}</strong>
    </p>
  );
}

/** Beside the form: which options go when it is saved, and what patrons have in their place. */
export function DeletedOptionsWarning({ draft }: { draft: SettingRecord }) {
  const may = useMay();
  const id = draft.id ?? "";
  const stored = useQuery({ ...recordQuery(kind, id), enabled: id !== "" }).data;
  if (stored === undefined || !may("user-settings.custom-fields.item.option.stats.get")) return null;
  const left = optionsOf(draft);
  const gone = optionsOf(stored).filter((option) => left.every((other) => other.id !== option.id));
  const instead = left.filter((option) => option.default).map(({ value = "" }) => value);
  return gone.map((option) => (
    <DeletedOptionWarning key={option.id} field={id} option={option} instead={instead.join(", ")} />
  ));
}

function DeletedOptionWarning({ field, option, instead }: { field: string; option: FieldOption; instead: string }) {
  const { customField: words } = useSettingsWords();
  const count = useQuery(patronCount(`${field}/options/${option.id}`)).data;
  if (count === undefined) return null;
  return (
    <p className="banner warn" role="status">
      {words.optionGone(option.value ?? "", count, instead)}
    </p>
  );
}
