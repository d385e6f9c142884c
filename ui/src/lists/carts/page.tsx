/** The page of item lists: items put together by a user, to be changed, printed or saved together. */

import { type ReactNode, useMemo, useState } from "react";
import { PrintLabels } from "../../inventory/labels/dialog.tsx";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { usePrint } from "../../parts/paper.tsx";
import { useAddress } from "../../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage } from "../../parts/states.tsx";
import { Table } from "../../parts/table/table.tsx";
import { useFormats, useWords } from "../../words/index.tsx";
import { useOwnerKey } from "../bulk/dialog.tsx";
import { JobPanel } from "../bulk/panel.tsx";
import { columnsOf } from "../columns.tsx";
import type { ListKind } from "../kind.ts";
import { LoadingProgress, rowKey } from "../list.tsx";
import { useLoadedRows } from "../loading.ts";
import { type ListRow, rowFromItem } from "../row.ts";
import { useListWords } from "../words/index.tsx";
import "../../style/cataloguing.css";
import { ChangeDialog } from "./change.tsx";
import { PasteIntoCart, ScanIntoCart } from "./fill.tsx";
import { loadItemsBy } from "./found.ts";
import { type Cart, makeCart, removeCart, removeFromCart, useCarts } from "./kept.ts";

export function Carts({ nav }: { nav: ReactNode }) {
  const own = useListWords().carts;
  const owner = useOwnerKey();
  const carts = useCarts(owner);
  const [get, set] = useAddress();
  const cart = carts.find(({ name }) => name === get("name")) ?? carts[0];
  return (
    <div className="table-page">
      <h1 className="unseen">{cart ? `${own.title}: ${cart.name}` : own.title}</h1>
      <section className="list-filters" aria-label={own.title}>
        {nav}
        {cart && (
          <Choice
            className="inline list-choice"
            label={own.choose}
            hideLabel
            options={carts.map(({ name, ids }) => ({ id: name, name: `${name} (${ids.length})` }))}
            value={cart.name}
            onChange={(name) => set({ name }, true)}
          />
        )}
        <NewCartButton owner={owner} carts={carts} onMade={(name) => set({ name }, true)} />
        {cart && <ScanIntoCart key={cart.name} owner={owner} cart={cart} />}
      </section>
      <JobPanel />
      {cart ? <CartTable key={cart.name} owner={owner} cart={cart} /> : <EmptyMessage>{own.none}</EmptyMessage>}
    </div>
  );
}

function NewCartButton({ owner, carts, onMade }: { owner: string; carts: Cart[]; onMade: (name: string) => void }) {
  const own = useListWords().carts;
  const [name, setName] = useState("");
  const isTaken = carts.some((cart) => cart.name === name.trim());
  return (
    <DialogOpener>
      <Button onPress={() => setName("")}>{own.make}</Button>
      <FormDialog
        title={own.make}
        submit={own.make}
        onSubmit={async () => {
          makeCart(owner, name.trim());
          onMade(name.trim());
        }}
      >
        <Field
          label={own.name}
          help={own.here}
          {...(isTaken && { error: own.taken })}
          value={name}
          onChange={setName}
          isRequired
          autoFocus
        />
      </FormDialog>
    </DialogOpener>
  );
}

const CART_COLUMNS: Pick<ListKind, "columns" | "extra"> = {
  columns: ["title", "barcode", "callNumber", "location", "loanType", "status", "materialType"],
  extra: ["since", "permanentLocation", "notes"],
};

function CartTable({ owner, cart }: { owner: string; cart: Cart }) {
  const words = useWords();
  const own = useListWords();
  const formats = useFormats();
  const [paper, print] = usePrint();
  const [changing, change] = useState<readonly ListRow[]>();
  const loaded = useLoadedRows(["cart", cart.ids], async (loading) => {
    const items = await loadItemsBy("id", cart.ids, loading);
    return { rows: items.map((item) => rowFromItem(item)), total: items.length };
  });
  const columns = useMemo(() => columnsOf(CART_COLUMNS, own, words, formats), [own, words, formats]);
  const [before, setBefore] = useState<readonly ListRow[]>([]);
  // While an added item is loaded, the former rows stay on the screen.
  if (loaded.data && loaded.data.rows !== before) setBefore(loaded.data.rows);
  const rows = loaded.data?.rows ?? before;
  const gone = loaded.isSuccess ? cart.ids.length - rows.length : 0;
  return (
    <>
      {loaded.error && <ErrorMessage error={loaded.error} retry={() => void loaded.refetch()} />}
      {loaded.isFetching && rows.length === 0 && <LoadingProgress progress={loaded.progress} />}
      {gone > 0 && <p className="banner warn">{own.carts.gone(formats.number(gone))}</p>}
      <Table
        label={cart.name}
        rows={rows}
        columns={columns}
        keyOf={rowKey}
        sort=""
        fileName={cart.name}
        actions={(ticked) => (
          <>
            <Button onPress={() => change(ticked)}>{own.carts.change}</Button>
            <Button
              onPress={() =>
                removeFromCart(
                  owner,
                  cart.name,
                  ticked.map(({ key }) => key),
                )
              }
            >
              {own.carts.takeOut}
            </Button>
            <PrintLabels items={ticked.flatMap(({ item }) => item ?? [])} />
            <Button onPress={() => print(<PrintedCart name={cart.name} rows={ticked} />)}>{words.print}</Button>
          </>
        )}
      >
        <PasteIntoCart owner={owner} cart={cart} />
        <Button
          kind="quiet"
          isDisabled={rows.length === 0}
          onPress={() => print(<PrintedCart name={cart.name} rows={rows} />)}
        >
          {words.print}
        </Button>
        <RemoveCartButton onRemove={() => removeCart(owner, cart.name)} />
      </Table>
      {cart.ids.length === 0 && <EmptyMessage>{own.carts.empty}</EmptyMessage>}
      {changing && <ChangeDialog rows={changing} onClose={() => change(undefined)} />}
      {paper}
    </>
  );
}

function RemoveCartButton({ onRemove }: { onRemove: () => void }) {
  const own = useListWords().carts;
  return (
    <DialogOpener>
      <Button kind="quiet">{own.remove}</Button>
      <FormDialog title={own.remove} submit={own.remove} danger onSubmit={async () => onRemove()}>
        <p>{own.removeHelp}</p>
      </FormDialog>
    </DialogOpener>
  );
}

function PrintedCart({ name, rows }: { name: string; rows: readonly ListRow[] }) {
  return (
    <section className="printed-list">
      <h2>{name}</h2>
      <ol>
        {rows.map(({ key, title, callNumber, location, barcode }) => (
          <li key={key}>
            <strong>{callNumber}</strong> {title}
            <br />
            <small>{[location, barcode].filter(Boolean).join(" · ")}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}
