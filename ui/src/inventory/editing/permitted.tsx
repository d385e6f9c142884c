/** A page for those who may change what it is about. */

import type { ReactNode } from "react";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";

export function Permitted({ to, needs, children }: { to: string; needs: string; children: ReactNode }) {
  const words = useWords();
  const may = useMay();
  if (may(needs)) return children;
  return (
    <div className="desk-page">
      <h1>{to}</h1>
      <p className="banner warn">{words.noAccess(to)}</p>
    </div>
  );
}
