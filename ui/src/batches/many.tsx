/**
 * Sends many barcodes, pasted or from a file, at check-out or check-in. Each is handled like a scan, with its own row.
 */

import { useState } from "react";
import { BarcodeList } from "../parts/barcode-list.tsx";
import { parseBarcodes } from "../parts/barcodes.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { useFormats } from "../words/index.tsx";
import { useBatchWords } from "./words/index.tsx";

/** The browser's storage, which keeps scans through a reload, has room for about so many. */
const MAX_BARCODES = 500;

interface Props {
  title: "outTitle" | "inTitle";
  onScan: (barcode: string) => void;
}

export default function ManyBarcodesButton({ title, onScan }: Props) {
  const words = useBatchWords();
  return (
    <DialogOpener>
      <Button kind="quiet">{words.many}</Button>
      <ManyBarcodesDialog title={title} onScan={onScan} />
    </DialogOpener>
  );
}

function ManyBarcodesDialog({ title, onScan }: Props) {
  const words = useBatchWords();
  const formats = useFormats();
  const [text, setText] = useState("");
  const barcodes = parseBarcodes(text);
  const going = barcodes.slice(0, MAX_BARCODES);
  return (
    <FormDialog
      title={words[title]}
      submit={words.send(formats.number(going.length))}
      onSubmit={async () => {
        for (const barcode of going) onScan(barcode);
      }}
    >
      <BarcodeList label={words.label} help={words.help} file={words.file} value={text} onChange={setText} />
      {barcodes.length > MAX_BARCODES && (
        <p className="banner warn">{words.most(formats.number(MAX_BARCODES), formats.number(barcodes.length))}</p>
      )}
    </FormDialog>
  );
}
