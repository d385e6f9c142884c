/**
 * The slip that travels with an item, to the hold shelf or to another desk: as the library has written it in its staff slips,
 * or a plain one where it has written none.
 */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { list } from "../api/list.ts";
import type { StaffSlip } from "../api/octavo.ts";
import type { CheckedIn, SlipContext } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { usePrint } from "../parts/paper.tsx";
import { preferences } from "../shell/preferences.ts";
import { useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { destinationInWords } from "./destination.ts";
import type { Destination } from "./session.ts";
import { filledIn } from "./template.ts";

/** The names that FOLIO gives to the slips of each destination. */
const SLIPS: Partial<Record<Destination["is"], string>> = {
  hold: "Hold",
  transit: "Transit",
  delivery: "Request delivery",
};

const staffSlips = queryOptions({
  queryKey: ["staff-slips"],
  staleTime: 3_600_000,
  queryFn: async () => (await list("/staff-slips-storage/staff-slips", { limit: 100 })).staffSlips,
});

interface Props {
  answer: CheckedIn;
  goes: Destination;
  /** Just answered, and not for the second time in the page. */
  fresh: boolean;
}

export function SlipButton({ answer, goes, fresh }: Props) {
  const words = useWords();
  const [paper, print] = usePrint();
  const name = SLIPS[goes.is];
  const slips = useQuery({ ...staffSlips, enabled: name !== undefined });
  const here = useServicePoint();
  const template = slips.data?.find((one) => one.name === name && one.active);
  const slip = <Slip template={template} answer={answer} goes={goes} />;
  const due = useRef(fresh && preferences.get().printSlips);
  useEffect(() => {
    if (!due.current || name === undefined || slips.isPending) return;
    due.current = false;
    // A service point may leave some of them to whoever presses the button.
    const wanted = here?.staffSlips?.find(({ id }) => id === template?.id)?.printByDefault ?? true;
    if (wanted) print(slip);
  });
  if (name === undefined) return null;
  return (
    <>
      <Button aria-label={`${words.checkIn.slip}: ${answer.item?.title ?? ""}`} onPress={() => print(slip)}>
        {words.checkIn.slip}
      </Button>
      {paper}
    </>
  );
}

function Slip({ template, answer, goes }: { template: StaffSlip | undefined; answer: CheckedIn; goes: Destination }) {
  const context = answer.staffSlipContext ?? {};
  const own = template && filledIn(template.template, context);
  if (own?.textContent?.trim()) return <div ref={(place) => place?.replaceChildren(own)} />;
  return <PlainSlip context={context} goes={goes} />;
}

function PlainSlip({ context, goes }: { context: SlipContext; goes: Destination }) {
  const words = useWords();
  const formats = useFormats();
  const { item, request } = context;
  const until = request?.holdShelfExpirationDate;
  return (
    <>
      <h2>{destinationInWords(goes, words)}</h2>
      {until && <p>{words.checkIn.until(formats.day(until))}</p>}
      <h3>{item?.title}</h3>
      <p>
        {item?.primaryContributor}
        <br />
        {item?.callNumber}
        <br />
        {item?.barcode}
      </p>
      <p>
        {item?.fromServicePoint}
        <br />
        {formats.moment(context.currentDateTime ?? new Date().toISOString())}
      </p>
    </>
  );
}
