import { Code } from "../parts/code.tsx";
import { useWords } from "../words/index.tsx";
import type { ScanState } from "./queue.ts";

/** The row of a scan that has no answer yet. */
export function PendingScan({ barcode, state }: { barcode: string; state: ScanState<unknown>["is"] }) {
  const words = useWords();
  const told =
    { working: words.scan.working, kept: words.scan.kept }[state as "working" | "kept"] ?? words.scan.waiting;
  return (
    <p className="what">
      <Code>{barcode}</Code>
      <span className="fact">{told}</span>
    </p>
  );
}
