/** What a record of the file would change, or has changed: each record of the library, field by field. */

import { useQueries } from "@tanstack/react-query";
import type { ImportChange } from "../api/imports.ts";
import type { NamedPath } from "../api/inventory.ts";
import { CHOICES } from "../api/inventory-lists.ts";
import { labelOf, useRecordWords } from "../inventory/words/records.tsx";
import { listOf, placeOf, type Row, rowsOf } from "./changed.ts";
import { Marc } from "./incoming.tsx";
import { marcLines } from "./marc.ts";
import { useImportWords } from "./words/index.tsx";

/** With names where records have ids. */
export type Named = (path: string, value: string) => string;

/** The names that the rows of changes need. What may not be read stays an id. */
export function useNamed(changes: readonly ImportChange[]): Named {
  const needed = new Set<NamedPath>();
  for (const change of changes) {
    for (const { path } of rowsOf(change)) {
      const list = listOf(path);
      if (list) needed.add(list);
    }
  }
  const paths = [...needed];
  const found = useQueries({ queries: paths.map((path) => ({ ...CHOICES[path], retry: false })) });
  return (path, value) => {
    const list = listOf(path);
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
  named: Named;
}

export function Changes({ changes, isTrial, named }: Props) {
  return (
    <div className="import-changes">
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
        <One key={index} change={change} isTrial={isTrial} named={named} />
      ))}
    </div>
  );
}

function One({ change, isTrial, named }: { change: ImportChange; isTrial: boolean; named: Named }) {
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
        <Marc lines={marc} />
      </details>
    );
  }
  const rows = rowsOf(change);
  if (rows.length === 0) return <p className="help">{words.same(what)}</p>;
  const table = <Rows rows={rows} action={action} named={named} isMarc={entityType.startsWith("MARC")} />;
  // What is new is told by the log; what changes is what one looks for.
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

interface RowsProps {
  rows: readonly Row[];
  action: ImportChange["action"];
  named: Named;
  isMarc: boolean;
}

function Rows({ rows, action, named, isMarc }: RowsProps) {
  const words = useImportWords().changes;
  const records = useRecordWords();
  const columns = (["before", "after"] as const).filter(
    (column) => action === "UPDATE" || column === (action === "CREATE" ? "after" : "before"),
  );
  const label = (path: string) => {
    if (isMarc) return path === "LDR" ? words.leader : path;
    const { list, line, member } = placeOf(path);
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
