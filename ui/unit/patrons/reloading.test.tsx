/** Lists of a patron's page that cannot be loaded again while a dialog of theirs is open. */

import { act } from "react";
import { expect, test } from "vitest";
import type { User } from "../../src/api/records.ts";
import { PatronNotes } from "../../src/patrons/notes.tsx";
import { en } from "../../src/patrons/words/en.ts";
import { en as common } from "../../src/words/en.ts";
import { Network } from "../browser.ts";
import { answerWith, fieldOf, press, settled, show, type } from "../screen.tsx";

test("the dialog and what is typed in it stay, and the list says what is wrong", async () => {
  const network = new Network();
  const none = { notes: [], totalRecords: 0 };
  const types = { noteTypes: [{ id: "t", name: "General" }], totalRecords: 1 };
  answerWith(network, { "GET /note-links/domain/users/type/user/id/ann": none, "GET /notes": none });
  answerWith(network, { "GET /note-types": types });
  const client = await show("/patrons/ann", <PatronNotes user={{ id: "ann" } as User} />);
  await press(en.notes.add);
  await type(fieldOf(en.notes.title), "Speaks Danish");
  network.isUp = false;
  await act(() => client.refetchQueries());
  await settled();
  expect(fieldOf(en.notes.title).value).toBe("Speaks Danish");
  expect(document.body.textContent).toContain(common.errors.unreachable);
});
