/** What one record of a file would change, or has changed, in the library, field by field. */

import { useQueries } from "@tanstack/react-query";
import type { ImportChange } from "../api/imports.ts";
import type { ListPath } from "../api/inventory.ts";
import { CHOICE_LISTS } from "../api/inventory-lists.ts";
import { labelOf, useRecordWords } from "../inventory/words/records.tsx";
import { type ChangedField, changedFields, fieldPlace, listPath } from "./changed.ts";
import { MarcTable } from "./incoming.tsx";
import { marcLines } from "./marc.ts";
import { useImportWords } from "./words/index.tsx";

/** Gives the name for an id of reference data; other values stay as they are. */
export type NameOfValue = (path: string, value: string) => string;

/** Loads the names that the changes need. Without the permission to read them, ids are shown. */
export function useValueNames(changes: readonly ImportChange[]): NameOfValue {
  const needed = new Set<ListPath>();
  for (const change of changes) {
    for (const { path } of changedFields(change)) {
      const list = listPath(path);
      if (list) needed.add(list);
    }
  }
  const paths = [...needed];
  const found = useQueries({ queries: paths.map((path) => ({ ...CHOICE_LISTS[path], retry: false })) });
  return (path, value) => {
    const list = listPath(path);
    const values = list === undefined ? undefined : found[paths.indexOf(list)]?.data;
    return values?.find(({ id }) => id === value)?.name ?? value;
  };
}

const ENTITIES = {
  INSTANCE: "instance",
  HOLDINGS: "holdings",
  ITEM: "item",
  AUTHORITY: "authority",
  MARC_BIBLIOGRAPHIC: "source",
  MARC_HOLDINGS: "source",
  MARC_AUTHORITY: "source",
} as const;

interface Props {
  changes: readonly ImportChange[];
  isTrial: boolean;
  named: NameOfValue;
}

export function Changes({ changes, isTrial, named }: Props) {
  return (
    <div className="import-changes">
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
        <RecordChange key={index} change={change} isTrial={isTrial} named={named} />
      ))}
    </div>
  );
}

function RecordChange({ change, isTrial, named }: { change: ImportChange; isTrial: boolean; named: NameOfValue }) {
  const own = useImportWords();
  const words = own.changes;
  const { action, entityType, record } = change;
  const entity = ENTITIES[entityType as keyof typeof ENTITIES];
  const what = entity ? own.entities[entity] : entityType;
  const says = (isTrial ? words.would : words.did)[action](what);
  const marc = entityType.startsWith("MARC") ? marcLines(record) : undefined;
  if (marc) {
    return (
      <details>
        <summary>{says}</summary>
        <MarcTable lines={marc} />
      </details>
    );
  }
  const rows = changedFields(change);
  if (rows.length === 0) return <p className="help">{words.same(what)}</p>;
  const table = <ChangeTable rows={rows} action={action} named={named} isMarc={entityType.startsWith("MARC")} />;
  // The log tells what is new; changed fields are what users look for, so only updates are unfolded.
  if (action !== "UPDATE") {
    return (
      <details>
        <summary>{says}</summary>
        {table}
      </details>
    );
  }
  return (
    <div>
      <h3>{says}</h3>
      {table}
    </div>
  );
}

interface ChangeTableProps {
  rows: readonly ChangedField[];
  action: ImportChange["action"];
  named: NameOfValue;
  isMarc: boolean;
}

function ChangeTable({ rows, action, named, isMarc }: ChangeTableProps) {
  const words = useImportWords().changes;
  const records = useRecordWords();
  const columns = (["before", "after"] as const).filter(
    (column) => action === "UPDATE" || column === (action === "CREATE" ? "after" : "before"),
  );
  const label = (path: string) => {
    if (isMarc) return path === "LDR" ? words.leader : path;
    const { list, line, member } = fieldPlace(path);
    const name = (one: string, of?: string) => {
      const found = labelOf(records, one, of);
      return found === one ? labelOf(records, one.replace(/Ids?$/, ""), of) : found;
    };
    const inside = name(member, list);
    if (line === undefined) return inside;
    return list === undefined ? words.line(inside, line) : `${words.line(name(list), line)}: ${inside}`;
  };
  const value = (path: string, one: string | boolean | undefined) => {
    if (one === undefined) return <span className="help">{words.nothing}</span>;
    if (typeof one === "boolean") return one ? words.yes : words.no;
    return <bdi>{named(path, one)}</bdi>;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div className="import-wide" tabIndex={0}>
      <table className={isMarc ? "import-table marc" : "import-table"}>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {action === "UPDATE" ? words[column] : words.value}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a tag stands there more than once
            <tr key={index}>
              <th scope="row">{label(row.path)}</th>
              {columns.map((column) => (
                <td key={column} {...(isMarc && { dir: "ltr" })}>
                  {value(row.path, row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
