/** The slip that travels with an item, to the hold shelf or to another desk. */

import { useEffect, useRef } from "react";
import type { CheckedIn, SlipContext } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { usePrint } from "../parts/paper.tsx";
import { preferences } from "../shell/preferences.ts";
import { useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { destinationInWords } from "./destination.ts";
import type { Destination } from "./session.ts";
import { OwnSlip, useStaffSlip } from "./staff-slips.tsx";

/** The names that FOLIO gives to the slips of each destination. */
const SLIPS: Partial<Record<Destination["is"], string>> = {
  hold: "Hold",
  transit: "Transit",
  delivery: "Request delivery",
};

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
  const { template, isPending } = useStaffSlip(name);
  const here = useServicePoint();
  const context = answer.staffSlipContext ?? {};
  const slip = (
    <OwnSlip template={template} context={context}>
      <PlainSlip context={context} goes={goes} />
    </OwnSlip>
  );
  const due = useRef(fresh && preferences.get().printSlips);
  useEffect(() => {
    if (!due.current || name === undefined || isPending) return;
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
