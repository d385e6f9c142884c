/** Each obstacle with its remedy: a button for whoever is permitted, and the scans that were refused go out again by themselves. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ask } from "../../api/http.ts";
import { type Block, blocks, openAccounts, openLoans } from "../../api/patrons.ts";
import type { Account, Loan, User } from "../../api/records.ts";
import { Override } from "../../loans/override.tsx";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Opens } from "../../parts/opens.tsx";
import { Loading, Trouble } from "../../parts/states.tsx";
import { FEE_ACTIONS, FeeDialog } from "../../patrons/fee-dialog.tsx";
import { refusalTexts } from "../../refusals/texts.ts";
import { announce } from "../../scanning/signals.tsx";
import { useScanningWords } from "../../scanning/words/index.tsx";
import { place, useMay } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import { RenewRegistration } from "../renew-registration.tsx";
import { isRenewed, lending } from "../session.ts";
import { isClear, type Obstacles, obstacles } from "./found.ts";
import { overrideAll, refusedTo, sendAgain, togetherOverridable } from "./refused-scans.ts";

/** Of many items on loan those that have been due longest are offered. */
const FEW = 5;

export default function Remedies({ patron, close }: { patron: User; close: () => void }) {
  const words = useScanningWords().remedies;
  const known = {
    blocks: useQuery(blocks(patron.id)),
    accounts: useQuery(openAccounts(patron.id)),
    loans: useQuery(openLoans(patron.id)),
  };
  const scans = refusedTo(lending.scans.use(), patron);
  const error = known.blocks.error ?? known.accounts.error ?? known.loans.error;
  if (error) return <Trouble error={error} retry={() => Object.values(known).forEach((one) => void one.refetch())} />;
  if (!known.blocks.data || !known.accounts.data || !known.loans.data) return <Loading />;
  const accounts = known.accounts.data.filter(({ remaining }) => remaining > 0);
  const refusals = scans.flatMap(({ state }) => (state.is === "refused" ? state.refusals : []));
  const found = obstacles(patron, { blocks: known.blocks.data, accounts, loans: known.loans.data.loans }, refusals);
  return (
    <>
      {isClear(found) ? <p>{words.nothing}</p> : <Listed patron={patron} found={found} accounts={accounts} />}
      <div className="buttons">
        <OverrideAll patron={patron} />
        {scans.length > 0 && (
          <Button
            kind="primary"
            onPress={() => {
              sendAgain(patron);
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

function Listed({ patron, found, accounts }: { patron: User; found: Obstacles; accounts: Account[] }) {
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
          <Remedy patron={patron} name={words.setActive} act={() => setActive(patron)} />
        </Obstacle>
      )}
      {found.manual.map((block) => (
        <Manual key={block.id} block={block} patron={patron} />
      ))}
      {found.automated.map((block) => (
        <Obstacle key={block.id} says={words.limit(block.message)} />
      ))}
      {found.loanLimits.map((message) => (
        <Obstacle key={message} says={words.loanLimit(refusalTexts([{ message }], common).join(" "))} />
      ))}
      {found.owed > 0 && <Owed patron={patron} accounts={accounts} />}
      {found.loans.length > 0 && <BringBack patron={patron} loans={found.loans} />}
    </ul>
  );
}

/** Whoever may not remove it is told so. */
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
      sendAgain(patron);
    },
  });
  return (
    <>
      <Button className="start" isDisabled={acting.isPending} onPress={() => acting.mutate()}>
        {name}
      </Button>
      {acting.error && <Trouble error={acting.error} />}
    </>
  );
}

async function setActive({ id }: User): Promise<void> {
  const user = { ...(await ask<User>(`/users/${id}`)), active: true };
  await ask(`/users/${id}`, { method: "PUT", body: user });
  isRenewed(user);
}

function Manual({ block, patron }: { block: Block; patron: User }) {
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

const PAY = FEE_ACTIONS.find(({ name }) => name === "pay");

function Owed({ patron, accounts }: { patron: User; accounts: Account[] }) {
  const words = useScanningWords().remedies;
  const formats = useFormats();
  // As it was when the press came: what has been paid leaves the list, and its receipt is still to be printed.
  const [paying, pay] = useState<Account[]>();
  const sum = formats.money(accounts.reduce((total, { remaining }) => total + remaining, 0));
  return (
    <Obstacle says={words.owes(sum)} needs={["accounts.pay.post"]}>
      <Button className="start" onPress={() => pay(accounts)}>
        {words.pay(sum)}
      </Button>
      {paying && PAY && (
        <FeeDialog
          action={PAY}
          user={patron}
          accounts={paying}
          onClose={() => {
            pay(undefined);
            sendAgain(patron);
          }}
        />
      )}
    </Obstacle>
  );
}

function BringBack({ patron, loans }: { patron: User; loans: Loan[] }) {
  const words = useScanningWords().remedies;
  const formats = useFormats();
  const overdue = (loan: Loan) => Date.parse(loan.dueDate) < Date.now();
  return (
    <Obstacle says={words.back} needs={["circulation.check-in-by-barcode.post"]}>
      <ul>
        {loans.slice(0, FEW).map((loan) => (
          <li key={loan.id}>
            <Remedy patron={patron} name={words.checkIn(loan.item?.title ?? "")} act={() => checkIn(loan)} />
            {overdue(loan) && <small>{words.overdue(formats.due(loan.dueDate))}</small>}
          </li>
        ))}
      </ul>
    </Obstacle>
  );
}

const checkIn = ({ item }: Loan) =>
  ask("/circulation/check-in-by-barcode", {
    method: "POST",
    body: {
      itemBarcode: item?.barcode,
      servicePointId: place.get().servicePoint,
      checkInDate: new Date().toISOString(),
    },
  });

function OverrideAll({ patron }: { patron: User }) {
  const words = useScanningWords().remedies;
  const common = useWords().checkOut;
  const scans = refusedTo(lending.scans.use(), patron);
  const blocks = togetherOverridable(scans);
  if (blocks.length === 0) return null;
  return (
    <Opens>
      <Button>{words.override}</Button>
      <Override
        title={words.overrideTitle}
        submit={common.override}
        blocks={blocks}
        onOverride={(said) => overrideAll(scans, said)}
      />
    </Opens>
  );
}
