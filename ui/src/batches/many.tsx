/** Many barcodes at a desk, pasted or from a file. Each goes the way of a scan, with its row and what would help. */

import { useState } from "react";
import { BarcodeList } from "../parts/barcode-list.tsx";
import { barcodesOf } from "../parts/barcodes.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { useFormats } from "../words/index.tsx";
import { useBatchWords } from "./words/index.tsx";

/** Scans that are kept through a reload have room in the browser for about so many. */
const MOST = 500;

interface Props {
  title: "outTitle" | "inTitle";
  onScan: (barcode: string) => void;
}

export default function Many({ title, onScan }: Props) {
  const words = useBatchWords();
  return (
    <Opens>
      <Button kind="quiet">{words.many}</Button>
      <Sending title={title} onScan={onScan} />
    </Opens>
  );
}

function Sending({ title, onScan }: Props) {
  const words = useBatchWords();
  const formats = useFormats();
  const [text, setText] = useState("");
  const barcodes = barcodesOf(text);
  const going = barcodes.slice(0, MOST);
  return (
    <FormDialog
      title={words[title]}
      submit={words.send(formats.number(going.length))}
      onSubmit={async () => {
        for (const barcode of going) onScan(barcode);
      }}
    >
      <BarcodeList label={words.label} help={words.help} file={words.file} value={text} onChange={setText} />
      {barcodes.length > MOST && (
        <p className="banner warn">{words.most(formats.number(MOST), formats.number(barcodes.length))}</p>
      )}
    </FormDialog>
  );
}
