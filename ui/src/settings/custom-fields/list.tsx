/** The custom fields in the order in which the form of a patron has them, and the way to another order. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { customFields } from "../../api/custom-fields.ts";
import { ask } from "../../api/http.ts";
import { loadRecords, recordsQuery } from "../../api/settings.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../../parts/states.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats } from "../../words/index.tsx";
import { rightsTo, type SettingRecord } from "../kind.ts";
import { customFields as kind } from "../kinds/custom-fields.ts";
import { useSettingsWords } from "../words/index.tsx";

interface Move {
  id: string;
  by: 1 | -1;
}

export function CustomFieldList() {
  const words = useSettingsWords();
  const formats = useFormats();
  const may = useMay();
  const asked = useQuery(recordsQuery(kind));
  const moving = useMoveField();
  if (asked.isPending) return <Loading />;
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  const fields = asked.data;
  const mayMove = may("user-settings.custom-fields.collection.put");
  const says = words.kinds.customFields;
  return (
    <section className="work" aria-label={says.many}>
      <div className="tools">
        <p className="help">{says.help}</p>
        {may(rightsTo.make(kind)) && (
          <Link href={`/settings/${kind.slug}/new`} className="button primary">
            {says.make}
          </Link>
        )}
      </div>
      {moving.error && <ErrorMessage error={moving.error} />}
      {fields.length === 0 && <EmptyMessage>{words.noneYet}</EmptyMessage>}
      <ol className="rows">
        {fields.map((field, index) => {
          const { id = "" } = field;
          const name = String(field.name);
          return (
            <li className="row short" key={id}>
              <div className="what">
                <Link href={`/settings/${kind.slug}/${id}`}>{name}</Link>
                <small>{kind.summary?.(field, words, formats)}</small>
              </div>
              {mayMove && (
                <div className="actions">
                  <Button
                    kind="quiet"
                    aria-label={words.customField.up(name)}
                    isDisabled={index === 0}
                    onPress={() => moving.mutate({ id, by: -1 })}
                  >
                    ↑
                  </Button>
                  <Button
                    kind="quiet"
                    aria-label={words.customField.down(name)}
                    isDisabled={index === fields.length - 1}
                    onPress={() => moving.mutate({ id, by: 1 })}
                  >
                    ↓
                  </Button>
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/**
 * FOLIO's call for the order replaces all fields and deletes those that are not sent, so they are loaded just before.
 */
function useMoveField() {
  const words = useSettingsWords();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, by }: Move) => {
      const fields = moveField(await loadRecords(kind), id, by);
      if (fields === undefined) return;
      await ask(kind.path, { method: "PUT", body: { entityType: "user", customFields: fields } });
      const place = fields.findIndex((field) => field.id === id);
      announce(words.customField.moved(String(fields[place]?.name), place + 1));
    },
    onSettled: () =>
      Promise.all(
        [["settings", kind.path], customFields.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

/** The fields with one moved up or down; undefined if it cannot move or no longer exists. */
export function moveField(fields: readonly SettingRecord[], id: string, by: 1 | -1): SettingRecord[] | undefined {
  const from = fields.findIndex((field) => field.id === id);
  const [field, other] = [fields[from], fields[from + by]];
  if (field === undefined || other === undefined) return undefined;
  return fields.with(from, other).with(from + by, field);
}
