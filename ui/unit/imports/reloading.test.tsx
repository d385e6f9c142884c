/** The form of an import profile is not begun anew while somebody types in it. */

import { act } from "react";
import { expect, test } from "vitest";
import { Route } from "wouter";
import { ProfilePages } from "../../src/imports/profiles/page.tsx";
import { en } from "../../src/imports/profiles/words/en.ts";
import { jsonResponse, Network } from "../browser.ts";
import { answerWith, fieldOf, settled, show, type } from "../screen.tsx";

const MAPPING = {
  id: "m",
  name: "Vendor's titles",
  incomingRecordType: "MARC_BIBLIOGRAPHIC",
  existingRecordType: "INSTANCE",
  mappingDetails: { name: "instance", recordType: "INSTANCE", mappingFields: [], marcMappingDetails: [] },
};
const ROUTE = "GET /data-import-profiles/mappingProfiles/m";

test("a form waits for the newest profile, and is not begun anew after that", async () => {
  const network = new Network();
  answerWith(network, { [ROUTE]: MAPPING });
  const pages = <Route path="/import/profiles/*" component={ProfilePages} />;
  await show("/import/profiles/mappings/m", pages);
  const go = async (path: string) => {
    await act(() => history.pushState(null, "", `/desk${path}`));
    await settled();
  };
  await go("/import");
  const answer = Promise.withResolvers<Response>();
  network.answerWith(ROUTE, () => answer.promise);
  await go("/import/profiles/mappings/m");
  expect(document.querySelector("input")).toBeNull();
  answer.resolve(jsonResponse(MAPPING));
  await settled();
  await type(fieldOf(en.name), "Another name");
  for (const event of ["visibilitychange", "focus", "online"]) await act(() => window.dispatchEvent(new Event(event)));
  await settled();
  expect(network.callsTo(ROUTE)).toHaveLength(2);
  expect(fieldOf(en.name).value).toBe("Another name");
});
