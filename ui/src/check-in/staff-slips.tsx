/** Staff slips on paper: the library's own templates, or plain ones if it has none. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { list } from "../api/list.ts";
import type { StaffSlip } from "../api/octavo.ts";
import type { SlipContext } from "../api/records.ts";
import { fillTemplate } from "./template.ts";

const staffSlips = queryOptions({
  queryKey: ["staff-slips"],
  staleTime: 3_600_000,
  queryFn: async () => (await list("/staff-slips-storage/staff-slips", { limit: 100 })).staffSlips,
});

/** The library's template of the staff slip with this FOLIO name, if it is active. */
export function useStaffSlip(name: string | undefined): { template: StaffSlip | undefined; isPending: boolean } {
  const { data, isPending } = useQuery({ ...staffSlips, enabled: name !== undefined });
  return { template: data?.find((one) => one.name === name && one.active), isPending };
}

interface Props {
  template: StaffSlip | undefined;
  context: SlipContext;
  /** What is printed if the library has no template. */
  children: ReactNode;
}

export function LibrarySlip({ template, context, children }: Props) {
  const own = template && fillTemplate(template.template, context);
  if (own?.textContent?.trim()) return <div ref={(place) => place?.replaceChildren(own)} />;
  return children;
}
