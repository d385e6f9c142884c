/** Saves the titles found as a file: the ids of all titles, or a CSV table of as many as the server pages through. */

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { downloadIds, loadAllTitles, MAX_TITLES } from "../api/search.ts";
import { Button } from "../parts/button.tsx";
import { saveCsv } from "../parts/csv.ts";
import { Dialog } from "../parts/dialog.tsx";
import { saveFile } from "../parts/download.ts";
import { DialogOpener } from "../parts/opens.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { searchQuery, sortedQuery, type TitleSearch } from "./asked.ts";
import { titleColumns } from "./columns.ts";
import { useInventoryWords } from "./words/index.tsx";

interface Props {
  asked: TitleSearch;
  total: number;
}

export function ExportButton({ asked, total }: Props) {
  const own = useInventoryWords().export;
  return (
    <DialogOpener>
      <Button isDisabled={total === 0}>{own.title}</Button>
      <Dialog title={own.title}>{() => <ExportFiles asked={asked} total={total} />}</Dialog>
    </DialogOpener>
  );
}

type ExportKind = "ids" | "csv";

function ExportFiles({ asked, total }: Props) {
  const own = useInventoryWords().export;
  const formats = useFormats();
  const may = useMay();
  const [count, setCount] = useState(0);
  const stopping = useRef(new AbortController());
  // Closing the dialog cancels the download.
  useEffect(() => () => stopping.current.abort(), []);
  const making = useMutation({
    mutationFn: async (kind: ExportKind) => {
      stopping.current = new AbortController();
      setCount(0);
      const { signal } = stopping.current;
      try {
        if (kind === "ids") {
          const name = `${own.file}.txt`;
          saveFile(name, await downloadIds(searchQuery(asked), signal, setCount));
          return own.done(name, total);
        }
        const name = `${own.file}.csv`;
        const titles = await loadAllTitles(sortedQuery(asked), signal, setCount);
        saveCsv(name, titleColumns(own), titles);
        return own.done(name, titles.length);
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
  });
  const of = making.variables === "csv" ? Math.min(total, MAX_TITLES) : total;
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
        <p className="help">{total > MAX_TITLES ? own.csvFirst(formats.number(MAX_TITLES)) : own.csvHelp}</p>
      </div>
      {making.isPending && (
        <div className="file">
          <progress value={Math.min(count, of)} max={of} aria-label={own.title} />
          <span>{own.far(formats.number(count), formats.number(of))}</span>
          <Button onPress={() => stopping.current.abort()}>{own.stop}</Button>
        </div>
      )}
      {making.error && <ErrorMessage error={making.error} />}
      <p role="status">{making.data}</p>
    </div>
  );
}
