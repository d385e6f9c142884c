/** The custom fields in the order in which the form of a patron has them, and the way to another order. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { customFields } from "../../api/custom-fields.ts";
import { ask } from "../../api/http.ts";
import { recordsAt, recordsOf } from "../../api/settings.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats } from "../../words/index.tsx";
import { rightsTo, type Stored } from "../kind.ts";
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
  const asked = useQuery(recordsOf(kind));
  const moving = useMoving();
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
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
      {moving.error && <Trouble error={moving.error} />}
      {fields.length === 0 && <Empty>{words.noneYet}</Empty>}
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

/** FOLIO has one call for the order: it replaces all fields, and deletes those that it is not sent. So they are read at that moment. */
function useMoving() {
  const words = useSettingsWords();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, by }: Move) => {
      const fields = moved(await recordsAt(kind), id, by);
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

/** In another order; nothing if there is no place to go to, or no such field any more. */
export function moved(fields: readonly Stored[], id: string, by: 1 | -1): Stored[] | undefined {
  const from = fields.findIndex((field) => field.id === id);
  const [field, other] = [fields[from], fields[from + by]];
  if (field === undefined || other === undefined) return undefined;
  return fields.with(from, other).with(from + by, field);
}
