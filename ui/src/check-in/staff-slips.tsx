/** Staff slips on paper: as the library has written them in its settings, or plain ones where it has written none. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { list } from "../api/list.ts";
import type { StaffSlip } from "../api/octavo.ts";
import type { SlipContext } from "../api/records.ts";
import { filledIn } from "./template.ts";

const staffSlips = queryOptions({
  queryKey: ["staff-slips"],
  staleTime: 3_600_000,
  queryFn: async () => (await list("/staff-slips-storage/staff-slips", { limit: 100 })).staffSlips,
});

/** The library's slip of a name that FOLIO gives, if it is in use. */
export function useStaffSlip(name: string | undefined): { template: StaffSlip | undefined; isPending: boolean } {
  const { data, isPending } = useQuery({ ...staffSlips, enabled: name !== undefined });
  return { template: data?.find((one) => one.name === name && one.active), isPending };
}

interface Props {
  template: StaffSlip | undefined;
  context: SlipContext;
  /** What is printed where the library has written nothing. */
  children: ReactNode;
}

export function OwnSlip({ template, context, children }: Props) {
  const own = template && filledIn(template.template, context);
  if (own?.textContent?.trim()) return <div ref={(place) => place?.replaceChildren(own)} />;
  return children;
}
