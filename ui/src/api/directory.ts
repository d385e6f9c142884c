/** The library's settings for its LDAP directory. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http.ts";
import type { LdapSettings, LdapSettingsRequest } from "./octavo.ts";

const PATH = "/octavo/ldap/settings";

export const directorySettings = queryOptions({
  queryKey: ["directory-settings"],
  queryFn: () => ask<LdapSettings>(PATH),
});

export const storeDirectory = (body: LdapSettingsRequest) => ask<LdapSettings>(PATH, { method: "PUT", body });
