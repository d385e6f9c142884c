/** What a search has found as a file: the ids of all titles, or a table of as many as can be paged through. */

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { everyTitle, idsOf, MOST } from "../api/search.ts";
import { Button } from "../parts/button.tsx";
import { saveCsv } from "../parts/csv.ts";
import { Dialog } from "../parts/dialog.tsx";
import { saveFile } from "../parts/download.ts";
import { Opens } from "../parts/opens.tsx";
import { Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { type Asked, query, queryInOrder } from "./asked.ts";
import { columns } from "./columns.ts";
import { useInventoryWords } from "./words/index.tsx";

interface Props {
  asked: Asked;
  total: number;
}

export function Export({ asked, total }: Props) {
  const own = useInventoryWords().export;
  return (
    <Opens>
      <Button isDisabled={total === 0}>{own.title}</Button>
      <Dialog title={own.title}>{() => <Files asked={asked} total={total} />}</Dialog>
    </Opens>
  );
}

type Kind = "ids" | "csv";

function Files({ asked, total }: Props) {
  const own = useInventoryWords().export;
  const formats = useFormats();
  const may = useMay();
  const [count, setCount] = useState(0);
  const stopping = useRef(new AbortController());
  // Whoever closes the dialog does not want the file any more.
  useEffect(() => () => stopping.current.abort(), []);
  const making = useMutation({
    mutationFn: async (kind: Kind) => {
      stopping.current = new AbortController();
      setCount(0);
      const { signal } = stopping.current;
      try {
        if (kind === "ids") {
          const name = `${own.file}.txt`;
          saveFile(name, await idsOf(query(asked), signal, setCount));
          return own.done(name, total);
        }
        const name = `${own.file}.csv`;
        const titles = await everyTitle(queryInOrder(asked), signal, setCount);
        saveCsv(name, columns(own), titles);
        return own.done(name, titles.length);
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
  });
  const of = making.variables === "csv" ? Math.min(total, MOST) : total;
  return (
    <div className="export">
      <p>{own.what(total)}</p>
      {may("search.instances.ids.collection.get") && (
        <div className="file">
          <Button isDisabled={making.isPending} onPress={() => making.mutate("ids")}>
            {own.ids}
          </Button>
          <p className="help">{own.idsHelp}</p>
        </div>
      )}
      <div className="file">
        <Button isDisabled={making.isPending} onPress={() => making.mutate("csv")}>
          {own.csv}
        </Button>
        <p className="help">{total > MOST ? own.csvFirst(formats.number(MOST)) : own.csvHelp}</p>
      </div>
      {making.isPending && (
        <div className="file">
          <progress value={Math.min(count, of)} max={of} aria-label={own.title} />
          <span>{own.far(formats.number(count), formats.number(of))}</span>
          <Button onPress={() => stopping.current.abort()}>{own.stop}</Button>
        </div>
      )}
      {making.error && <Trouble error={making.error} />}
      <p role="status">{making.data}</p>
    </div>
  );
}
