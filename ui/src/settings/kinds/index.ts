/** All kinds of settings with a generic form, in the order of the overview. */

import type { Kind } from "../kind.ts";
import { blockConditions } from "./block-conditions.ts";
import { blockTemplates } from "./block-templates.ts";
import { customFields } from "./custom-fields.ts";
import { atTheDesk, loanHistory, locale, printHolds, titleRequests } from "./entries.ts";
import { feeTypes, owners, payments, refunds, transfers, waives } from "./fees.ts";
import { COPY_LISTS, PATRON_LISTS, PLACE_LISTS, TITLE_LISTS } from "./lists.ts";
import { loanPolicies } from "./loan-policies.ts";
import { locations } from "./locations.ts";
import { lostPolicies } from "./lost-policies.ts";
import { mailServer } from "./mail-server.ts";
import { noticePolicies } from "./notice-policies.ts";
import { overduePolicies } from "./overdue-policies.ts";
import { requestPolicies } from "./request-policies.ts";
import { roles } from "./roles.ts";
import { schedules } from "./schedules.ts";
import { servicePoints } from "./service-points.ts";
import { slips } from "./slips.ts";
import { templates } from "./templates.ts";
import { webhooks } from "./webhooks.ts";

export const GROUPS = {
  policies: [
    loanPolicies,
    schedules,
    requestPolicies,
    overduePolicies,
    lostPolicies,
    noticePolicies,
    blockConditions,
    titleRequests,
    loanHistory,
    printHolds,
  ],
  notices: [templates, slips, mailServer],
  library: [locale, atTheDesk, servicePoints, locations, ...PLACE_LISTS],
  patrons: [...PATRON_LISTS, customFields, blockTemplates],
  copies: COPY_LISTS,
  titles: TITLE_LISTS,
  fees: [owners, feeTypes, payments, waives, refunds, transfers],
  staff: [roles, webhooks],
} as const satisfies Record<string, readonly Kind[]>;
