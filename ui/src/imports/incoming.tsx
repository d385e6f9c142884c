/** The incoming record, as it was in the file. */

import { useQuery } from "@tanstack/react-query";
import { Refused } from "../api/http.ts";
import { loadIncomingRecord } from "../api/imports.ts";
import { Dialog } from "../parts/dialog.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { type MarcLine, marcLines } from "./marc.ts";
import { useImportWords } from "./words/index.tsx";

export function IncomingDialog({ id, title }: { id: string; title: string }) {
  return <Dialog title={title}>{() => <IncomingRecord id={id} />}</Dialog>;
}

function IncomingRecord({ id }: { id: string }) {
  const words = useImportWords().job;
  const asked = useQuery({ queryKey: ["import-incoming", id], retry: false, queryFn: () => loadIncomingRecord(id) });
  if (asked.isPending) return <Loading />;
  if (asked.error instanceof Refused && asked.error.status === 404) return <EmptyMessage>{words.gone}</EmptyMessage>;
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  const { parsedRecordContent, rawRecordContent = "" } = asked.data;
  const lines = marcLines(parsedRecordContent) ?? marcLines(rawRecordContent);
  if (lines) return <MarcTable lines={lines} />;
  return (
    <>
      <p>{words.unreadable}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre className="import-raw" dir="ltr" tabIndex={0}>
        {rawRecordContent}
      </pre>
    </>
  );
}

export function MarcTable({ lines }: { lines: readonly MarcLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div className="import-marc" dir="ltr" tabIndex={0}>
      <table>
        <tbody>
          {lines.map(({ tag, indicators, parts }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
            <tr key={index}>
              <th scope="row">{tag}</th>
              <td>{indicators}</td>
              <td>
                {parts.map(({ code, text }, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
                  <span key={place}>
                    {code && <b>${code}</b>} <bdi>{text}</bdi>{" "}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
