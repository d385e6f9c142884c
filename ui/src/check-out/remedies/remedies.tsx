/**
 * Each obstacle with the button that removes it, for staff who have the permission. The refused scans are then sent
 * again automatically.
 */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ask } from "../../api/http.ts";
import { activeBlocks, type Block, openAccounts, openLoans } from "../../api/patrons.ts";
import type { Account, Loan, User } from "../../api/records.ts";
import { OverrideDialog } from "../../loans/override.tsx";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { ErrorMessage, Loading } from "../../parts/states.tsx";
import { FEE_ACTIONS, FeeDialog } from "../../patrons/fee-dialog.tsx";
import { refusalTexts } from "../../refusals/texts.ts";
import { announce } from "../../scanning/signals.tsx";
import { useScanningWords } from "../../scanning/words/index.tsx";
import { useMay, workplace } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import { RenewRegistration } from "../renew-registration.tsx";
import { checkOuts, notePatronChanged } from "../session.ts";
import { findObstacles, hasNoObstacle, type Obstacles } from "./found.ts";
import { allPermittedOverrides, overrideAll, refusedScans, resendRefusedScans } from "./refused-scans.ts";

/** Of many items on loan only so many are shown, the longest overdue first. */
const SHOWN_LOANS = 5;

export default function Remedies({ patron, close }: { patron: User; close: () => void }) {
  const words = useScanningWords().remedies;
  const known = {
    blocks: useQuery(activeBlocks(patron.id)),
    accounts: useQuery(openAccounts(patron.id)),
    loans: useQuery(openLoans(patron.id)),
  };
  const scans = refusedScans(checkOuts.scans.use(), patron);
  const error = known.blocks.error ?? known.accounts.error ?? known.loans.error;
  if (error)
    return <ErrorMessage error={error} retry={() => Object.values(known).forEach((one) => void one.refetch())} />;
  if (!known.blocks.data || !known.accounts.data || !known.loans.data) return <Loading />;
  const accounts = known.accounts.data.filter(({ remaining }) => remaining > 0);
  const refusals = scans.flatMap(({ state }) => (state.is === "refused" ? state.refusals : []));
  const found = findObstacles(patron, { blocks: known.blocks.data, accounts, loans: known.loans.data.loans }, refusals);
  return (
    <>
      {hasNoObstacle(found) ? (
        <p>{words.nothing}</p>
      ) : (
        <ObstacleList patron={patron} found={found} accounts={accounts} />
      )}
      <div className="buttons">
        <OverrideAll patron={patron} />
        {scans.length > 0 && (
          <Button
            kind="primary"
            onPress={() => {
              resendRefusedScans(patron);
              close();
            }}
          >
            {words.again}
          </Button>
        )}
      </div>
    </>
  );
}

function ObstacleList({ patron, found, accounts }: { patron: User; found: Obstacles; accounts: Account[] }) {
  const words = useScanningWords().remedies;
  const common = useWords();
  const formats = useFormats();
  return (
    <ul className="remedies">
      {found.expired && (
        <Obstacle says={words.expired(formats.day(patron.expirationDate ?? ""))} needs={["users.item.put"]}>
          <RenewRegistration borrower={patron} />
        </Obstacle>
      )}
      {found.inactive && (
        <Obstacle says={words.inactive} needs={["users.item.get", "users.item.put"]}>
          <Remedy patron={patron} name={words.setActive} act={() => activatePatron(patron)} />
        </Obstacle>
      )}
      {found.manual.map((block) => (
        <ManualBlockObstacle key={block.id} block={block} patron={patron} />
      ))}
      {found.automated.map((block) => (
        <Obstacle key={block.id} says={words.limit(block.message)} />
      ))}
      {found.loanLimits.map((message) => (
        <Obstacle key={message} says={words.loanLimit(refusalTexts([{ message }], common).join(" "))} />
      ))}
      {found.owed > 0 && <FeesObstacle patron={patron} accounts={accounts} />}
      {found.loans.length > 0 && <ItemsObstacle patron={patron} loans={found.loans} />}
    </ul>
  );
}

/** Staff without the permission to remove the obstacle are told so. */
function Obstacle({ says, needs = [], children }: { says: ReactNode; needs?: string[]; children?: ReactNode }) {
  const words = useScanningWords().remedies;
  const may = useMay();
  return (
    <li>
      <p>
        <Icon name="warning" />
        {says}
      </p>
      {children !== undefined && (may(...needs) ? children : <small>{words.notPermitted}</small>)}
    </li>
  );
}

function Remedy({ patron, name, act }: { patron: User; name: string; act: () => Promise<unknown> }) {
  const client = useQueryClient();
  const acting = useMutation({
    mutationFn: act,
    onSuccess: async () => {
      announce(name);
      await client.invalidateQueries({ queryKey: ["patron", patron.id] });
      resendRefusedScans(patron);
    },
  });
  return (
    <>
      <Button className="start" isDisabled={acting.isPending} onPress={() => acting.mutate()}>
        {name}
      </Button>
      {acting.error && <ErrorMessage error={acting.error} />}
    </>
  );
}

async function activatePatron({ id }: User): Promise<void> {
  const user = { ...(await ask<User>(`/users/${id}`)), active: true };
  await ask(`/users/${id}`, { method: "PUT", body: user });
  notePatronChanged(user);
}

function ManualBlockObstacle({ block, patron }: { block: Block; patron: User }) {
  const words = useScanningWords().remedies;
  return (
    <Obstacle
      says={
        <>
          {words.block(block.message)}
          {block.staff && <small> {block.staff}</small>}
        </>
      }
      needs={["manualblocks.item.delete"]}
    >
      <Remedy patron={patron} name={words.lift} act={() => ask(`/manualblocks/${block.id}`, { method: "DELETE" })} />
    </Obstacle>
  );
}

const PAY_ACTION = FEE_ACTIONS.find(({ name }) => name === "pay");

function FeesObstacle({ patron, accounts }: { patron: User; accounts: Account[] }) {
  const words = useScanningWords().remedies;
  const formats = useFormats();
  // The accounts at the time of the press: paid ones leave the list while their receipt is still to be printed.
  const [paying, pay] = useState<Account[]>();
  const sum = formats.money(accounts.reduce((total, { remaining }) => total + remaining, 0));
  return (
    <Obstacle says={words.owes(sum)} needs={["accounts.pay.post"]}>
      <Button className="start" onPress={() => pay(accounts)}>
        {words.pay(sum)}
      </Button>
      {paying && PAY_ACTION && (
        <FeeDialog
          action={PAY_ACTION}
          user={patron}
          accounts={paying}
          onClose={() => {
            pay(undefined);
            resendRefusedScans(patron);
          }}
        />
      )}
    </Obstacle>
  );
}

function ItemsObstacle({ patron, loans }: { patron: User; loans: Loan[] }) {
  const words = useScanningWords().remedies;
  const formats = useFormats();
  const overdue = (loan: Loan) => Date.parse(loan.dueDate) < Date.now();
  return (
    <Obstacle says={words.back} needs={["circulation.check-in-by-barcode.post"]}>
      <ul>
        {loans.slice(0, SHOWN_LOANS).map((loan) => (
          <li key={loan.id}>
            <Remedy patron={patron} name={words.checkIn(loan.item?.title ?? "")} act={() => checkInLoan(loan)} />
            {overdue(loan) && <small>{words.overdue(formats.due(loan.dueDate))}</small>}
          </li>
        ))}
      </ul>
    </Obstacle>
  );
}

const checkInLoan = ({ item }: Loan) =>
  ask("/circulation/check-in-by-barcode", {
    method: "POST",
    body: {
      itemBarcode: item?.barcode,
      servicePointId: workplace.get().servicePoint,
      checkInDate: new Date().toISOString(),
    },
  });

function OverrideAll({ patron }: { patron: User }) {
  const words = useScanningWords().remedies;
  const common = useWords().checkOut;
  const scans = refusedScans(checkOuts.scans.use(), patron);
  const blocks = allPermittedOverrides(scans);
  if (blocks.length === 0) return null;
  return (
    <DialogOpener>
      <Button>{words.override}</Button>
      <OverrideDialog
        title={words.overrideTitle}
        submit={common.override}
        blocks={blocks}
        onOverride={(said) => overrideAll(scans, said)}
      />
    </DialogOpener>
  );
}
