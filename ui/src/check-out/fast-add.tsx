/** Adds an item that is not in the catalogue, and checks it out. */

import { Suspense } from "react";
import { Button } from "../parts/button.tsx";
import { later } from "../parts/later.ts";
import { DialogOpener } from "../parts/opens.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { type CheckOutScan, checkOuts } from "./session.ts";

const Dialog = later(() => import("../inventory/fast-add/dialog.tsx"));

const FAST_ADD_PERMISSIONS = [
  "inventory.instances.item.post",
  "inventory-storage.holdings.item.post",
  "inventory.items.item.post",
];

export function FastAdd({ scan }: { scan: CheckOutScan }) {
  const words = useWords();
  const may = useMay();
  if (!may(...FAST_ADD_PERMISSIONS)) return null;
  return (
    <DialogOpener>
      <Button aria-label={`${words.checkOut.fastAdd}: ${scan.barcode}`}>{words.checkOut.fastAdd}</Button>
      <Suspense fallback={null}>
        <Dialog barcode={scan.barcode} onAdded={() => checkOuts.resend(scan.key)} />
      </Suspense>
    </DialogOpener>
  );
}
