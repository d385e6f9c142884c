/** Settings with a form of their own: what is typed in them is not lost without a question. */

import { expect, test } from "vitest";
import { unsavedForm } from "../../src/parts/guarded-location.ts";
import { BlockLimits } from "../../src/settings/block-limits.tsx";
import { Directory } from "../../src/settings/directory.tsx";
import { Pictures } from "../../src/settings/pictures.tsx";
import { SignOn } from "../../src/settings/sign-on.tsx";
import { en } from "../../src/settings/words/en.ts";
import { en as common } from "../../src/words/en.ts";
import { jsonResponse, Network } from "../browser.ts";
import { answerWith, fieldOf, press, settled, show, type } from "../screen.tsx";

const DIRECTORY = {
  active: false,
  url: "",
  authorities: "",
  unencrypted: false,
  field: "username",
  userDn: "",
  searchBase: "",
  searchFilter: "",
  bindDn: "",
  bindPasswordSet: false,
};
const SIGN_ON = {
  active: false,
  issuer: "",
  clientId: "",
  clientSecretSet: false,
  scopes: "openid",
  claim: "sub",
  field: "username",
  buttonText: "",
  publicUrl: "",
  userInterfaceUrl: "",
  redirectUri: "http://localhost/_/invoke/tenant/diku/callback",
};
const PICTURES = { id: "p", configName: "PROFILE_PICTURE_CONFIG", enabled: true, maxFileSize: 4 };
const LIMIT = { id: "l", patronGroupId: "staff", conditionId: "loans", value: 5 };

const FORMS = [
  {
    slug: "directory",
    form: <Directory />,
    route: "/octavo/ldap/settings",
    stored: DIRECTORY,
    label: en.directory.userDn,
    before: "",
  },
  {
    slug: "single-sign-on",
    form: <SignOn />,
    route: "/octavo/sso/settings",
    stored: SIGN_ON,
    label: en.signOn.issuer,
    before: "",
  },
  {
    slug: "photos",
    form: <Pictures />,
    route: "/users/configurations/entry",
    stored: PICTURES,
    label: en.pictures.most,
    before: "4",
  },
  {
    slug: "limits/loans",
    form: <BlockLimits condition={{ id: "loans", valueType: "Integer" }} />,
    route: "/patron-block-limits",
    stored: { patronBlockLimits: [LIMIT], totalRecords: 1 },
    label: "staff",
    before: "5",
  },
];

const GROUPS = { usergroups: [{ id: "staff", group: "staff" }], totalRecords: 1 };

function library(): Network {
  const network = new Network();
  answerWith(network, { "GET /groups": GROUPS });
  for (const { route, stored } of FORMS) answerWith(network, { [`GET ${route}`]: stored });
  return network;
}

test.each(FORMS)("$slug: typed text is protected until it is taken back", async ({ slug, form, label, before }) => {
  library();
  await show(`/settings/${slug}`, form);
  expect(fieldOf(label).value).toBe(before);
  expect(unsavedForm.get().page).toBeUndefined();
  await type(fieldOf(label), "12");
  expect(unsavedForm.get().page).toBe(`/desk/settings/${slug}`);
  await type(fieldOf(label), before);
  expect(unsavedForm.get().page).toBeUndefined();
});

test.each(FORMS)("$slug: typed text stays when the settings cannot be loaded again", async ({ slug, form, label }) => {
  const network = library();
  const client = await show(`/settings/${slug}`, form);
  await type(fieldOf(label), "12");
  network.isUp = false;
  await client.refetchQueries();
  await settled();
  expect(fieldOf(label).value).toBe("12");
});

test("what is saved is not asked about", async () => {
  const network = library();
  network.answerWith("PUT /octavo/ldap/settings", ({ body }) => jsonResponse({ ...DIRECTORY, ...body }));
  await show("/settings/directory", <Directory />);
  await type(fieldOf(en.directory.userDn), "uid={user}");
  await type(fieldOf(en.directory.bindPassword), "secret");
  await press(common.save);
  expect(network.callsTo("PUT /octavo/ldap/settings")).toHaveLength(1);
  expect(unsavedForm.get().page).toBeUndefined();
});
