/** The actions on one request: edit, move to another item, cancel. */

import type { PatronRequest } from "../api/records.ts";
import { useBulkActions } from "../lists/bulk/bar.tsx";
import { rowFromRequest } from "../lists/row.ts";

interface Props {
  request: PatronRequest;
  /** Tells the buttons apart from those of other rows. */
  subject?: string;
  /** The actions are in a menu, if there are other buttons beside it. */
  isMenu?: boolean;
}

export default function RequestActions({ request, subject, isMenu = false }: Props) {
  const [bar, dialog, menu] = useBulkActions();
  const rows = [rowFromRequest(request)];
  return (
    <>
      {isMenu ? menu(rows, subject ?? "") : bar(rows, subject)}
      {dialog}
    </>
  );
}
