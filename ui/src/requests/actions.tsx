/** What can be done with one request: edited, moved to another copy, cancelled. */

import type { PatronRequest } from "../api/records.ts";
import { useBulk } from "../lists/bulk/bar.tsx";
import { ofRequest } from "../lists/row.ts";

interface Props {
  request: PatronRequest;
  /** What tells its buttons from those of other rows. */
  of?: string;
  /** Behind one button, where there are others beside it. */
  isMenu?: boolean;
}

export default function RequestActions({ request, of, isMenu = false }: Props) {
  const [bar, dialog, menu] = useBulk();
  const rows = [ofRequest(request)];
  return (
    <>
      {isMenu ? menu(rows, of ?? "") : bar(rows, of)}
      {dialog}
    </>
  );
}
