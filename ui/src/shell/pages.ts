/** The pages of the desk: their paths, their keyboard shortcuts, and the permissions that they need. */

import type { Words } from "../words/en.ts";

export type PageName = keyof Words["pages"];

export interface Page {
  name: PageName;
  path: string;
  /** The letter of the shortcut with Alt. */
  key: string;
  needs: readonly string[];
  /** At least one of these permissions is needed. */
  needsAnyOf?: readonly string[];
}

export const PAGES: readonly Page[] = [
  { name: "checkOut", path: "/check-out", key: "O", needs: ["circulation.check-out-by-barcode.post"] },
  { name: "checkIn", path: "/check-in", key: "I", needs: ["circulation.check-in-by-barcode.post"] },
  { name: "patrons", path: "/patrons", key: "P", needs: ["users.collection.get"] },
  { name: "inventory", path: "/inventory", key: "T", needs: ["search.instances.collection.get"] },
  { name: "authorities", path: "/authorities", key: "A", needs: ["search.authorities.collection.get"] },
  {
    name: "imports",
    path: "/import",
    key: "J",
    needs: [],
    needsAnyOf: ["metadata-provider.jobexecutions.get", "converter-storage.jobprofile.put"],
  },
  { name: "requests", path: "/requests", key: "R", needs: ["circulation.requests.collection.get"] },
  {
    name: "lists",
    path: "/lists",
    key: "B",
    needs: [],
    needsAnyOf: [
      "circulation.loans.collection.get",
      "circulation.requests.collection.get",
      "inventory.items.collection.get",
    ],
  },
  { name: "settings", path: "/rules", key: "L", needs: ["circulation.rules.get"] },
  {
    name: "setUp",
    path: "/settings",
    key: "S",
    needs: [],
    // Permissions to change settings, since many staff may read them for their work at the desk.
    needsAnyOf: [
      "circulation-storage.loan-policies.item.put",
      "circulation-storage.request-policies.item.put",
      "circulation-storage.patron-notice-policies.item.put",
      "circulation-storage.staff-slips.item.put",
      "overdue-fines-policies.item.put",
      "lost-item-fees-policies.item.put",
      "patron-block-conditions.item.put",
      "calendar.endpoint.calendars.calendarId.put",
      "inventory-storage.service-points.item.put",
      "templates.item.put",
      "notice-ledger.notices.collection.get",
      "owners.item.put",
      "feefines.item.put",
      "perms.permissions.item.put",
      "usergroups.item.put",
      "addresstypes.item.put",
      "departments.item.put",
      "user-settings.custom-fields.item.put",
      "manual-block-templates.item.put",
      "users.configurations.item.put",
      "note.types.item.put",
      "circulation-storage.cancellation-reasons.item.put",
      "inventory-storage.locations.item.put",
      "inventory-storage.location-units.libraries.item.put",
      "inventory-storage.material-types.item.put",
      "inventory-storage.loan-types.item.put",
      "inventory-storage.item-note-types.item.put",
      "inventory-storage.instance-note-types.item.put",
      "configuration.entries.item.put",
      "email.smtp-configuration.item.put",
    ],
  },
  { name: "drawer", path: "/drawer", key: "M", needs: ["feefine-reports.cash-drawer-reconciliation.post"] },
  { name: "log", path: "/log", key: "G", needs: ["circulation-logs.collection.get"] },
  { name: "partners", path: "/partner-libraries", key: "W", needs: ["dcb.transactions.collection.get"] },
  { name: "security", path: "/security-log", key: "Y", needs: ["octavo.security-events.collection.get"] },
  { name: "today", path: "/today", key: "H", needs: ["circulation.loans.collection.get"] },
];

export function isPageAllowed({ needs, needsAnyOf }: Page, may: (...permissions: string[]) => boolean): boolean {
  return may(...needs) && (needsAnyOf?.some((one) => may(one)) ?? true);
}
