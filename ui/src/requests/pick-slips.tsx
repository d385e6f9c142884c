/** Pick slips and search slips of this service point, on the screen and on paper. */

import { useQuery } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { searchSlipsEnabled } from "../api/library.ts";
import type { SlipContext, StaffSlipsResponse } from "../api/octavo.ts";
import { LibrarySlip, useStaffSlip } from "../check-in/staff-slips.tsx";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { usePrint } from "../parts/paper.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { useMay, useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";

type SlipKind = "pick" | "search";

/** FOLIO's names of the slips' templates. */
const SLIP_NAMES: Record<SlipKind, string> = { pick: "Pick slip", search: "Search slip (Hold requests)" };

/**
 * Pick slips and, if the library prints them, search slips for items that patrons wait for and that may be on the shelf
 * all the same.
 */
export function PickSlips() {
  const words = useWords().requests.views;
  const searching = useQuery(searchSlipsEnabled).data ?? false;
  const may = useMay();
  if (!searching || !may("circulation.search-slips.get")) return <SlipList which="pick" />;
  return (["pick", "search"] as const).map((which) => (
    <section key={which} aria-label={words[which]}>
      <h2>{words[which]}</h2>
      <SlipList which={which} />
    </section>
  ));
}

function SlipList({ which }: { which: SlipKind }) {
  const words = useWords();
  const formats = useFormats();
  const here = useServicePoint();
  const [paper, print] = usePrint();
  const { template, isPending } = useStaffSlip(SLIP_NAMES[which]);
  const slips = useQuery({
    queryKey: ["requests", "slips", which, here?.id],
    queryFn: async () => {
      const answer = await ask<StaffSlipsResponse>(`/circulation/${which}-slips/${here?.id}`);
      return answer.pickSlips ?? answer.searchSlips ?? [];
    },
  });
  if (slips.isPending) return <Loading />;
  if (slips.error) return <ErrorMessage error={slips.error} retry={() => void slips.refetch()} />;
  if (slips.data.length === 0) return <EmptyMessage>{words.requests.none[which]}</EmptyMessage>;
  const all = slips.data.map((slip, index) => ({ key: slip.request?.requestID ?? `${index}`, ...slip }));
  return (
    <>
      <div className="tools">
        <p>{words.list.found(formats.number(all.length))}</p>
        <Button
          isDisabled={isPending}
          onPress={() =>
            print(
              all.map((slip) => (
                <section className="one-slip" key={slip.key}>
                  <LibrarySlip template={template} context={slip}>
                    <PlainSlip which={which} slip={slip} />
                  </LibrarySlip>
                </section>
              )),
            )
          }
        >
          {which === "pick" ? words.requests.printPick : words.requests.printSearch}
        </Button>
        {paper}
      </div>
      <ul className="rows">
        {all.map(({ key, item, requester, request }) => (
          <li className="row" key={key}>
            <div className="what">
              <strong>{item?.title}</strong>
              <small>
                {[item?.effectiveLocationSpecific, item?.callNumber].filter(Boolean).join(" · ")}{" "}
                <Code>{item?.barcode}</Code>
              </small>
            </div>
            <p className="due quiet">
              {[requester?.lastName, requester?.firstName].filter(Boolean).join(", ")}
              <br />
              <small>{request?.servicePointPickup}</small>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function PlainSlip({ which, slip }: { which: SlipKind; slip: SlipContext }) {
  const words = useWords().requests.views;
  const formats = useFormats();
  const { item, requester, request, currentDateTime = new Date().toISOString() } = slip;
  const copy = [item?.volume, item?.enumeration, item?.chronology, item?.copy].filter(Boolean).join(" · ");
  return (
    <>
      <h2>{item?.effectiveLocationSpecific}</h2>
      <h3>{item?.callNumber}</h3>
      <p>
        {item?.title}
        <br />
        {item?.primaryContributor}
      </p>
      {copy && <p>{copy}</p>}
      <p>{item?.barcode}</p>
      <p>
        {[requester?.lastName, requester?.firstName].filter(Boolean).join(", ")}
        <br />
        {request?.servicePointPickup}
      </p>
      <p>
        {words[which]}
        <br />
        {formats.moment(currentDateTime)}
      </p>
    </>
  );
}
