/** Fills an item list: by scanning, or from many barcodes at once. */

import { useEffect, useRef, useState } from "react";
import { BarcodeList } from "../../parts/barcode-list.tsx";
import { parseBarcodes } from "../../parts/barcodes.ts";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { errorText } from "../../parts/states.tsx";
import { playSignal } from "../../scanning/signals.tsx";
import { takeScansInForm } from "../../scanning/steer.ts";
import { useWords } from "../../words/index.tsx";
import { useListWords } from "../words/index.tsx";
import { loadItemsByBarcodes } from "./found.ts";
import { addToCart, type Cart } from "./kept.ts";

interface Props {
  owner: string;
  cart: Cart;
}

export function ScanIntoCart({ owner, cart }: Props) {
  const words = useWords();
  const own = useListWords().carts;
  const [text, setText] = useState("");
  const [said, say] = useState<{ text: string; isBad: boolean }>();
  const scan = async (scanned: string) => {
    const barcode = scanned.trim();
    if (barcode === "") return;
    try {
      const [item] = (await loadItemsByBarcodes([barcode])).items;
      playSignal(item === undefined ? "badly" : "well");
      if (item === undefined) return say({ text: own.unknown(barcode), isBad: true });
      const title = item.title ?? barcode;
      say({ text: cart.ids.includes(item.id) ? own.already(title) : own.added(title), isBad: false });
      addToCart(owner, cart.name, [item.id]);
    } catch (error) {
      playSignal("badly");
      // The barcode is put back into the field, to be sent again.
      setText(barcode);
      say({ text: errorText(error, words), isBad: true });
    }
  };
  const latest = useRef(scan);
  latest.current = scan;
  // Scans are taken wherever the focus is; the table keeps its own keys.
  useEffect(() => takeScansInForm((scanned) => void latest.current(scanned)), []);
  return (
    <>
      <form
        className="cart-scan"
        onSubmit={(event) => {
          event.preventDefault();
          setText("");
          void scan(text);
        }}
      >
        <input
          className="list-find code"
          name="barcode"
          aria-label={own.scan}
          placeholder={own.scan}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit">{own.add}</Button>
      </form>
      <p role="status" className={said?.isBad ? "bad" : undefined}>
        {said?.text}
      </p>
    </>
  );
}

export function PasteIntoCart({ owner, cart }: Props) {
  const own = useListWords().carts;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" onPress={() => setOpen(true)}>
        {own.paste}
      </Button>
      {isOpen && <PasteDialog {...{ owner, cart }} onClose={() => setOpen(false)} />}
    </>
  );
}

function PasteDialog({ owner, cart, onClose }: Props & { onClose: () => void }) {
  const own = useListWords().carts;
  const [text, setText] = useState("");
  const [unknown, setUnknown] = useState<string[]>([]);
  return (
    <FormDialog
      isOpen
      title={own.paste}
      submit={own.add}
      onSubmit={async () => {
        const found = await loadItemsByBarcodes(parseBarcodes(text));
        const ids = found.items.map(({ id }) => id);
        addToCart(owner, cart.name, ids);
        // Barcodes that no item has stay in the field, to be corrected.
        setUnknown(found.unknown);
        setText(found.unknown.join("\n"));
        if (found.unknown.length === 0) onClose();
      }}
      onClose={onClose}
      onDone={() => {}}
    >
      <BarcodeList label={own.paste} help={own.pasteHelp} file={own.file} value={text} onChange={setText} />
      {unknown.length > 0 && (
        <div className="banner bad" role="alert">
          <p>{own.unknownOnes(String(unknown.length))}</p>
          <p className="code">{unknown.join(" ")}</p>
        </div>
      )}
    </FormDialog>
  );
}
