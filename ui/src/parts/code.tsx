/** What is written from left to right in every language, whatever stands around it. */

import type { ReactNode } from "react";

/** A barcode or an id. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <bdi className="code" dir="ltr">
      {children}
    </bdi>
  );
}

/** A call number: in the type of the words around it. */
export function CallNumber({ children }: { children: ReactNode }) {
  return children ? <bdi dir="ltr">{children}</bdi> : null;
}
