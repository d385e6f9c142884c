/** The details of one transaction: item, patron, statuses, the next status, and how to cancel it. */

import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { useMay } from "../shell/session.ts";
import { canBeCancelled, cancelTransaction, nextStatus, type Transaction } from "./changes.ts";
import { usePartnerWords } from "./words/index.tsx";

interface Props {
  transaction: Transaction;
  onClose: () => void;
  onCancelled: () => void;
}

export function TransactionDetail({ transaction, onClose, onCancelled }: Props) {
  const own = usePartnerWords();
  const may = useMay();
  const [asks, setAsks] = useState(false);
  const { id, role, item, patron, pickup, history } = transaction;
  const following = nextStatus(transaction);
  const status = (name: string) => own.statuses[name] ?? name;
  if (asks) {
    return (
      <FormDialog
        title={own.cancel.title}
        submit={own.cancel.act}
        danger
        isOpen
        onClose={() => setAsks(false)}
        onSubmit={() => cancelTransaction(id)}
        onDone={onCancelled}
      >
        <p>{own.cancel.what}</p>
      </FormDialog>
    );
  }
  const facts = [
    [own.columns.title, item?.title],
    [own.columns.item, item?.barcode && <Code>{item.barcode}</Code>],
    [own.detail.materialType, item?.materialType],
    [own.columns.lender, item?.lendingLibraryCode],
    [
      own.columns.patron,
      patron?.barcode && (patron.id ? <Link href={`/patrons/${patron.id}`}>{patron.barcode}</Link> : patron.barcode),
    ],
    [own.detail.group, patron?.group],
    [own.columns.role, own.roles[role] ?? role],
    [own.columns.pickup, pickup?.servicePointName],
    [own.detail.history, history.map((change) => status(change.status)).join(" → ")],
    [own.detail.next, following ? `${status(following.status)}, ${own.by[following.by]}` : own.detail.ended],
  ] as const;
  return (
    <Dialog title={`${own.detail.title} ${id}`} isOpen onClose={onClose}>
      {(close) => (
        <>
          <dl className="facts-list">
            {facts.map(
              ([name, value]) =>
                value && (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ),
            )}
          </dl>
          <div className="buttons">
            {canBeCancelled(transaction) && may("dcb.transactions.put") && (
              <Button kind="danger" onPress={() => setAsks(true)}>
                {own.cancel.act}
              </Button>
            )}
            <Button kind="quiet" onPress={close}>
              {own.cancel.close}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
