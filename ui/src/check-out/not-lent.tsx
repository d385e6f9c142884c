/** A refused check-out: the item, the patron, the reasons, and what staff can do about it. */

import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Refusal } from "../api/http.ts";
import type { Loan } from "../api/records.ts";
import { OverrideDialog } from "../loans/override.tsx";
import { helpsFor, overridableBlocks } from "../loans/refusal-words.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Icon } from "../parts/icons.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { borrowerName, patronName } from "../parts/portrait.tsx";
import { ErrorMessage, ReasonList } from "../parts/states.tsx";
import { refusalTexts } from "../refusals/texts.ts";
import { useScanningWords } from "../scanning/words/index.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { FastAdd } from "./fast-add.tsx";
import { useBorrower, useRefusedItem } from "./refused.ts";
import { RemediesButton } from "./remedies/button.tsx";
import { RenewRegistration } from "./renew-registration.tsx";
import { type CheckOutScan, checkInFirst, checkOuts } from "./session.ts";

export function RefusedScan({ scan, refusals }: { scan: CheckOutScan; refusals: Refusal[] }) {
  const words = useWords();
  const own = useScanningWords();
  const formats = useFormats();
  const override = overridableBlocks(refusals);
  const borrower = useBorrower(scan);
  const helps = helpsFor(refusals, borrower);
  const { title, loan, isPending } = useRefusedItem(scan);
  const isOut = helps.includes("alreadyOut") && !isPending;
  // The item was checked out by somebody else after it was scanned here: that loan is the newer one and stays open.
  const lentSince = isOut && loan && Date.parse(loan.loanDate) > Date.parse(scan.at);
  return (
    <>
      <div className="what">
        {title && <strong>{title}</strong>}
        <Code>{scan.barcode}</Code>
        <span className="refusal">
          <Icon name="refused" />
          {borrower ? own.notLentTo(patronName(borrower)) : words.checkOut.refused}
        </span>
        <ReasonList said={refusalTexts(refusals, words)} />
        {isOut && loan && <CurrentBorrower loan={loan} />}
        {helps
          .filter((help) => help !== "alreadyOut" || (isOut && !lentSince))
          .map((help) => (
            <small key={help}>{words.help[help]}</small>
          ))}
        {lentSince && (
          <small>{words.checkOut.lentSince(formats.moment(loan.loanDate), borrowerName(loan) || words.unknown)}</small>
        )}
        {override && !override.permitted && <small>{words.checkOut.overrideMissing}</small>}
      </div>
      <div className="actions">
        {isOut && !lentSince && <CheckInFirst scan={scan} />}
        {helps.includes("unknownItem") && <FastAdd scan={scan} />}
        {helps.includes("expired") && borrower && <RenewRegistration borrower={borrower} />}
        {override?.permitted && (
          <DialogOpener>
            <Button>{words.checkOut.override}</Button>
            <OverrideDialog
              title={words.checkOut.overrideTitle(title ?? scan.barcode)}
              submit={words.checkOut.override}
              blocks={override.blocks}
              onOverride={(overrideBlocks) => checkOuts.resend(scan.key, { ...scan.order, overrideBlocks })}
            />
          </DialogOpener>
        )}
        {borrower && helps.some((help) => PATRON_REFUSALS.includes(help)) && (
          <RemediesButton patron={borrower} kind="plain" />
        )}
        <Button kind="quiet" onPress={() => checkOuts.resend(scan.key)}>
          {words.checkOut.retry}
        </Button>
        <Button
          kind="quiet"
          aria-label={`${words.checkOut.dismiss}: ${scan.barcode}`}
          onPress={() => checkOuts.remove(scan.key)}
        >
          {words.remove}
        </Button>
      </div>
    </>
  );
}

/** The refusals that concern the patron, not the item. */
const PATRON_REFUSALS: readonly string[] = ["blocked", "limit", "inactive", "expired", "inactiveOrExpired"];

function CurrentBorrower({ loan }: { loan: Loan }) {
  const words = useWords();
  const own = useScanningWords();
  const formats = useFormats();
  const may = useMay();
  const said = own.outTo(borrowerName(loan) || words.unknown, formats.due(loan.dueDate));
  return <span>{may("users.collection.get") ? <Link href={`/patrons/${loan.userId}`}>{said}</Link> : said}</span>;
}

function CheckInFirst({ scan }: { scan: CheckOutScan }) {
  const words = useWords();
  const may = useMay();
  const first = useMutation({ mutationFn: () => checkInFirst(scan) });
  if (!may("circulation.check-in-by-barcode.post")) return null;
  return (
    <>
      <Button isDisabled={first.isPending} onPress={() => first.mutate()}>
        {words.checkOut.checkInFirst}
      </Button>
      {first.error && <ErrorMessage error={first.error} />}
    </>
  );
}
