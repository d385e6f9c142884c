/** A MARC record as it is stored, to read and to print. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { Refused } from "../api/http.ts";
import { Permitted } from "../inventory/editing/permitted.tsx";
import { Button } from "../parts/button.tsx";
import { usePrint } from "../parts/paper.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { readStoredMarc } from "./calls.ts";
import { linesOfStored, lineText, type MarcLine } from "./lines.ts";
import { NEEDS } from "./needs.ts";
import type { Format } from "./record.ts";
import { describedPath, editorPath } from "./ways.ts";
import { useMarcWords } from "./words/index.tsx";

export function MarcView({ format, id }: { format: Format; id: string }) {
  const own = useMarcWords();
  return (
    <Permitted pageName={own.plain.title} needs={NEEDS.plain}>
      <div className="desk-page marc-page">
        <MarcViewContent format={format} id={id} />
      </div>
    </Permitted>
  );
}

function MarcViewContent({ format, id }: { format: Format; id: string }) {
  const words = useWords();
  const own = useMarcWords();
  const formats = useFormats();
  const may = useMay();
  const [paper, print] = usePrint();
  const [isCopied, setCopied] = useState(false);
  const asked = useQuery({ queryKey: ["marc-plain", id], queryFn: () => readStoredMarc(format, id) });
  const back = useQuery({ queryKey: ["marc-shown-at", format, id], queryFn: () => describedPath(format, id) });
  const isMissing = asked.error instanceof Refused && asked.error.status === 404;
  const lines = asked.data ? linesOfStored(asked.data.marc) : [];
  const name = lines.find(({ tag }) => /^(245|1\d\d)$/.test(tag));
  const copy = async () => {
    await navigator.clipboard.writeText(lines.map(lineText).join("\n"));
    setCopied(true);
    announce(own.plain.copied);
  };
  return (
    <>
      <header className="head">
        <div className="what">
          <h1>{own.plain.title}</h1>
          {asked.data?.updated && <p>{own.plain.updated(formats.moment(asked.data.updated))}</p>}
        </div>
        <div className="buttons">
          {back.data && (
            <Link className="button" href={back.data}>
              {own.plain.back}
            </Link>
          )}
          {asked.isSuccess && may(NEEDS.change) && (
            <Link className="button" href={editorPath(format, id)}>
              {own.plain.edit}
            </Link>
          )}
          {asked.isSuccess && (
            <>
              <Button onPress={() => void copy()}>{isCopied ? own.plain.copied : own.plain.copy}</Button>
              <Button
                onPress={() =>
                  print(
                    <div className="marc-paper">
                      <MarcLineTable lines={lines} label={name?.text ?? own.plain.title} />
                    </div>,
                  )
                }
              >
                {words.print}
              </Button>
            </>
          )}
        </div>
      </header>
      {asked.isPending && <Loading />}
      {isMissing && <EmptyMessage>{own.plain.none}</EmptyMessage>}
      {asked.error && !isMissing && <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />}
      {asked.isSuccess && <MarcLineTable lines={lines} label={own.plain.title} />}
      {paper}
    </>
  );
}

export function MarcLineTable({
  lines,
  label,
  marked,
}: {
  lines: readonly MarcLine[];
  label: string;
  marked?: readonly boolean[];
}) {
  return (
    <table className="marc-plain" dir="ltr">
      <caption className="unseen">{label}</caption>
      <tbody>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a record may have the same line twice
          <tr key={`${index}-${line.tag}`} className={marked?.[index] ? "marked" : undefined}>
            <th scope="row">{line.tag}</th>
            <td>{line.indicators}</td>
            <td dir="auto">{marked?.[index] ? <mark>{line.text}</mark> : line.text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
