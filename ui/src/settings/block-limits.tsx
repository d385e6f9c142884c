/** The patron block limits: the value of a condition for each patron group. An empty field is no limit. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { patronGroups } from "../api/library.ts";
import { deleteRecord, recordsQuery, storeRecord } from "../api/settings.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { UnsavedChangesPrompt } from "../parts/unsaved.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import type { SettingRecord } from "./kind.ts";
import { useSettingsWords } from "./words/index.tsx";

const LIMITS = { path: "/patron-block-limits", collection: "patronBlockLimits" };

export function BlockLimits({ condition }: { condition: SettingRecord }) {
  const may = useMay();
  const limits = useQuery({ ...recordsQuery(LIMITS), enabled: may("patron-block-limits.collection.get") });
  if (!may("patron-block-limits.collection.get")) return null;
  if (limits.isPending) return <Loading />;
  if (limits.isLoadingError) return <ErrorMessage error={limits.error} retry={() => void limits.refetch()} />;
  return (
    <LimitsForm condition={condition} limits={limits.data.filter((limit) => limit.conditionId === condition.id)} />
  );
}

function LimitsForm({ condition, limits }: { condition: SettingRecord; limits: SettingRecord[] }) {
  const words = useSettingsWords();
  const common = useWords();
  const may = useMay();
  const client = useQueryClient();
  const groups = useQuery(patronGroups).data ?? [];
  const stored = (group: string) => limits.find(({ patronGroupId }) => patronGroupId === group);
  const [said, say] = useState<Record<string, string>>({});
  const storedValue = (group: string) => String(stored(group)?.value ?? "");
  const value = (group: string) => said[group] ?? storedValue(group);
  const valueToSend = (group: string) => value(group).trim().replace(",", ".");
  const saving = useMutation({
    mutationFn: async (_sent: typeof said) => {
      for (const { id: patronGroupId } of groups) {
        const before = stored(patronGroupId);
        const now = valueToSend(patronGroupId);
        if (now === storedValue(patronGroupId)) continue;
        if (now === "") await deleteRecord(LIMITS, before?.id ?? "");
        else {
          const id = before?.id ?? crypto.randomUUID();
          await storeRecord(
            LIMITS,
            { id, patronGroupId, conditionId: condition.id, value: Number(now) },
            before === undefined,
          );
        }
      }
    },
    onSuccess: () => announce(words.saved),
    onSettled: async (_, error, sent) => {
      await client.invalidateQueries({ queryKey: ["settings", LIMITS.path] });
      // What was typed while the limits were stored stays.
      if (error === null) say((now) => Object.fromEntries(Object.entries(now).filter(([id]) => now[id] !== sent[id])));
    },
  });
  const allowed = may(
    "patron-block-limits.item.post",
    "patron-block-limits.item.put",
    "patron-block-limits.item.delete",
  );
  return (
    <Form
      className="sheet"
      aria-label={words.limits.byGroup}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(said);
      }}
    >
      <h2>{words.limits.byGroup}</h2>
      <p className="help">{words.limits.byGroupHelp}</p>
      <fieldset className="whole fields" disabled={!allowed}>
        {groups.map(({ id, group }) => (
          <Field
            key={id}
            label={group}
            value={value(id)}
            onChange={(text) => say((now) => ({ ...now, [id]: text }))}
            inputMode="decimal"
            pattern={condition.valueType === "Integer" ? "\\d{1,6}" : "\\d{1,6}([.,]\\d{1,2})?"}
          />
        ))}
      </fieldset>
      {saving.error && <ErrorMessage error={saving.error} />}
      {allowed && (
        <div className="session-end">
          <p role="status">{saving.isSuccess && Object.keys(said).length === 0 ? words.saved : ""}</p>
          <Button kind="primary" type="submit" isDisabled={saving.isPending || Object.keys(said).length === 0}>
            {words.limits.save}
          </Button>
        </div>
      )}
      {allowed || <p className="help">{common.errors.forbidden}</p>}
      <UnsavedChangesPrompt isUnsaved={allowed && groups.some(({ id }) => valueToSend(id) !== storedValue(id))} />
    </Form>
  );
}
