/** A record as it came in the file, to be read. */

import { useQuery } from "@tanstack/react-query";
import { Refused } from "../api/http.ts";
import { incoming } from "../api/imports.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { type MarcLine, marcLines } from "./marc.ts";
import { useImportWords } from "./words/index.tsx";

export function IncomingDialog({ id, title }: { id: string; title: string }) {
  return <Dialog title={title}>{() => <Incoming id={id} />}</Dialog>;
}

function Incoming({ id }: { id: string }) {
  const words = useImportWords().job;
  const asked = useQuery({ queryKey: ["import-incoming", id], retry: false, queryFn: () => incoming(id) });
  if (asked.isPending) return <Loading />;
  if (asked.error instanceof Refused && asked.error.status === 404) return <Empty>{words.gone}</Empty>;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  const { parsedRecordContent, rawRecordContent = "" } = asked.data;
  const lines = marcLines(parsedRecordContent) ?? marcLines(rawRecordContent);
  if (lines) return <Marc lines={lines} />;
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

export function Marc({ lines }: { lines: readonly MarcLine[] }) {
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
