/** The top of a receipt: which library, which desk, when. */

import { useServicePoint } from "../shell/session.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { useFormats } from "../words/index.tsx";

export function ReceiptHead() {
  const formats = useFormats();
  const library = useLibraryName();
  const here = useServicePoint();
  return (
    <>
      <h2>{library}</h2>
      <p>
        {here?.name}
        <br />
        {formats.moment(new Date().toISOString())}
      </p>
    </>
  );
}
