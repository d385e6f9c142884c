/** An item that the catalogue does not know is added on the spot, and goes out. */

import { lazy, Suspense } from "react";
import { Button } from "../parts/button.tsx";
import { Opens } from "../parts/opens.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { type Lending, lending } from "./session.ts";

const Dialog = lazy(() => import("../inventory/fast-add/dialog.tsx"));

const NEEDS = ["inventory.instances.item.post", "inventory-storage.holdings.item.post", "inventory.items.item.post"];

export function FastAdd({ scan }: { scan: Lending }) {
  const words = useWords();
  const may = useMay();
  if (!may(...NEEDS)) return null;
  return (
    <Opens>
      <Button aria-label={`${words.checkOut.fastAdd}: ${scan.barcode}`}>{words.checkOut.fastAdd}</Button>
      <Suspense fallback={null}>
        <Dialog barcode={scan.barcode} onAdded={() => lending.again(scan.key)} />
      </Suspense>
    </Opens>
  );
}
