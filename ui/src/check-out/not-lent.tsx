/** A scan that was refused: what was to go to whom, why it did not, and what would help. */

import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Refusal } from "../api/http.ts";
import type { Loan } from "../api/records.ts";
import { Override } from "../loans/override.tsx";
import { helpsFor, overridable } from "../loans/refusal-words.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Icon } from "../parts/icons.tsx";
import { Opens } from "../parts/opens.tsx";
import { borrowerName, nameOf } from "../parts/portrait.tsx";
import { Reasons, Trouble } from "../parts/states.tsx";
import { refusalTexts } from "../refusals/texts.ts";
import { useScanningWords } from "../scanning/words/index.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { FastAdd } from "./fast-add.tsx";
import { useBorrower, useRefusedItem } from "./refused.ts";
import { RemediesButton } from "./remedies/button.tsx";
import { RenewRegistration } from "./renew-registration.tsx";
import { checkInFirst, type Lending, lending } from "./session.ts";

export function NotLent({ scan, refusals }: { scan: Lending; refusals: Refusal[] }) {
  const words = useWords();
  const own = useScanningWords();
  const formats = useFormats();
  const override = overridable(refusals);
  const borrower = useBorrower(scan);
  const helps = helpsFor(refusals, borrower);
  const { title, loan, isPending } = useRefusedItem(scan);
  const isOut = helps.includes("alreadyOut") && !isPending;
  // Lent by somebody else after it was scanned here: that loan is not over.
  const lentSince = isOut && loan && Date.parse(loan.loanDate) > Date.parse(scan.at);
  return (
    <>
      <div className="what">
        {title && <strong>{title}</strong>}
        <Code>{scan.barcode}</Code>
        <span className="refusal">
          <Icon name="refused" />
          {borrower ? own.notLentTo(nameOf(borrower)) : words.checkOut.refused}
        </span>
        <Reasons said={refusalTexts(refusals, words)} />
        {isOut && loan && <OutTo loan={loan} />}
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
          <Opens>
            <Button>{words.checkOut.override}</Button>
            <Override
              title={words.checkOut.overrideTitle(title ?? scan.barcode)}
              submit={words.checkOut.override}
              blocks={override.blocks}
              onOverride={(overrideBlocks) => lending.again(scan.key, { ...scan.order, overrideBlocks })}
            />
          </Opens>
        )}
        {borrower && helps.some((help) => OF_PATRON.includes(help)) && (
          <RemediesButton patron={borrower} kind="plain" />
        )}
        <Button kind="quiet" onPress={() => lending.again(scan.key)}>
          {words.checkOut.retry}
        </Button>
        <Button
          kind="quiet"
          aria-label={`${words.checkOut.dismiss}: ${scan.barcode}`}
          onPress={() => lending.remove(scan.key)}
        >
          {words.remove}
        </Button>
      </div>
    </>
  );
}

/** Refusals that are about who borrows, not about what. */
const OF_PATRON: readonly string[] = ["blocked", "limit", "inactive", "expired", "inactiveOrExpired"];

function OutTo({ loan }: { loan: Loan }) {
  const words = useWords();
  const own = useScanningWords();
  const formats = useFormats();
  const may = useMay();
  const said = own.outTo(borrowerName(loan) || words.unknown, formats.due(loan.dueDate));
  return <span>{may("users.collection.get") ? <Link href={`/patrons/${loan.userId}`}>{said}</Link> : said}</span>;
}

function CheckInFirst({ scan }: { scan: Lending }) {
  const words = useWords();
  const may = useMay();
  const first = useMutation({ mutationFn: () => checkInFirst(scan) });
  if (!may("circulation.check-in-by-barcode.post")) return null;
  return (
    <>
      <Button isDisabled={first.isPending} onPress={() => first.mutate()}>
        {words.checkOut.checkInFirst}
      </Button>
      {first.error && <Trouble error={first.error} />}
    </>
  );
}
