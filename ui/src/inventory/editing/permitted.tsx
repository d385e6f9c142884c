/** Shows a page only to users with the permission that it needs. */

import type { ReactNode } from "react";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";

export function Permitted({ pageName, needs, children }: { pageName: string; needs: string; children: ReactNode }) {
  const words = useWords();
  const may = useMay();
  if (may(needs)) return children;
  return (
    <div className="desk-page">
      <h1>{pageName}</h1>
      <p className="banner warn">{words.noAccess(pageName)}</p>
    </div>
  );
}
