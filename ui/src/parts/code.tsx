/** Texts that are written from left to right in every language. */

import type { ReactNode } from "react";

/** A barcode or an id. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <bdi className="code" dir="ltr">
      {children}
    </bdi>
  );
}

/** A call number, in the typeface of the text around it. */
export function CallNumber({ children }: { children: ReactNode }) {
  return children ? <bdi dir="ltr">{children}</bdi> : null;
}
