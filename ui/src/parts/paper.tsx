/** What goes to the printer: a slip, a receipt. It stands in the page while it is printed, and only then. */

import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";

/** The paper to put into one's component, and how to print one. */
export function usePrint(): [paper: ReactNode, print: (content: ReactNode) => void] {
  const [content, setContent] = useState<ReactNode>(null);
  const paper = content && <Paper onPrinted={() => setContent(null)}>{content}</Paper>;
  return [paper, setContent];
}

function Paper({ children, onPrinted }: { children: ReactNode; onPrinted: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: printed once, when it has come into the page
  useEffect(() => {
    window.print();
    onPrinted();
  }, []);
  return createPortal(<article className="slip">{children}</article>, document.body);
}
