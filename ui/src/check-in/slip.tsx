/** The staff slip that is put into an item for the hold shelf, for transit, or for delivery. */

import { useEffect, useRef } from "react";
import type { CheckInResult, SlipContext } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { usePrint } from "../parts/paper.tsx";
import { preferences } from "../shell/preferences.ts";
import { useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { destinationText } from "./destination.ts";
import type { Destination } from "./session.ts";
import { LibrarySlip, useStaffSlip } from "./staff-slips.tsx";

/** FOLIO's names of the staff slips of each destination. */
const SLIP_NAMES: Partial<Record<Destination["is"], string>> = {
  hold: "Hold",
  transit: "Transit",
  delivery: "Request delivery",
};

interface Props {
  answer: CheckInResult;
  destination: Destination;
  /** Answered in the last minute and not before a reload, so that the slip is not printed again. */
  isNew: boolean;
}

export function SlipButton({ answer, destination, isNew }: Props) {
  const words = useWords();
  const [paper, print] = usePrint();
  const name = SLIP_NAMES[destination.is];
  const { template, isPending } = useStaffSlip(name);
  const here = useServicePoint();
  const context = answer.staffSlipContext ?? {};
  const slip = (
    <LibrarySlip template={template} context={context}>
      <PlainSlip context={context} goes={destination} />
    </LibrarySlip>
  );
  const due = useRef(isNew && preferences.get().printSlips);
  useEffect(() => {
    if (!due.current || name === undefined || isPending) return;
    due.current = false;
    // Each service point has a setting whether a slip is printed automatically.
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
      <h2>{destinationText(goes, words)}</h2>
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
