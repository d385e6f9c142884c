/** Item lists: copies that somebody has put together, to be changed, printed or saved together. */

import { type ReactNode, useMemo, useState } from "react";
import { PrintLabels } from "../../inventory/labels/dialog.tsx";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Opens } from "../../parts/opens.tsx";
import { usePrint } from "../../parts/paper.tsx";
import { useAddress } from "../../parts/search-line.tsx";
import { Empty, Trouble } from "../../parts/states.tsx";
import { Table } from "../../parts/table/table.tsx";
import { useFormats, useWords } from "../../words/index.tsx";
import { useOwner } from "../bulk/dialog.tsx";
import { JobPanel } from "../bulk/panel.tsx";
import { columnsOf } from "../columns.tsx";
import type { ListKind } from "../kind.ts";
import { Far, keyOf } from "../list.tsx";
import { useLoaded } from "../loading.ts";
import { type ListRow, ofItem } from "../row.ts";
import { useListWords } from "../words/index.tsx";
import "../../style/cataloguing.css";
import { ChangeDialog } from "./change.tsx";
import { PasteIntoCart, ScanIntoCart } from "./fill.tsx";
import { itemsBy } from "./found.ts";
import { type Cart, makeCart, removeCart, takeFrom, useCarts } from "./kept.ts";

export function Carts({ nav }: { nav: ReactNode }) {
  const own = useListWords().carts;
  const owner = useOwner();
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
        <Making owner={owner} carts={carts} onMade={(name) => set({ name }, true)} />
        {cart && <ScanIntoCart key={cart.name} owner={owner} cart={cart} />}
      </section>
      <JobPanel />
      {cart ? <OneCart key={cart.name} owner={owner} cart={cart} /> : <Empty>{own.none}</Empty>}
    </div>
  );
}

function Making({ owner, carts, onMade }: { owner: string; carts: Cart[]; onMade: (name: string) => void }) {
  const own = useListWords().carts;
  const [name, setName] = useState("");
  const isTaken = carts.some((cart) => cart.name === name.trim());
  return (
    <Opens>
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
    </Opens>
  );
}

const SHOWN: Pick<ListKind, "columns" | "extra"> = {
  columns: ["title", "barcode", "callNumber", "location", "loanType", "status", "materialType"],
  extra: ["since", "permanentLocation", "notes"],
};

function OneCart({ owner, cart }: { owner: string; cart: Cart }) {
  const words = useWords();
  const own = useListWords();
  const formats = useFormats();
  const [paper, print] = usePrint();
  const [changing, change] = useState<readonly ListRow[]>();
  const loaded = useLoaded(["cart", cart.ids], async (loading) => {
    const items = await itemsBy("id", cart.ids, loading);
    return { rows: items.map((item) => ofItem(item)), total: items.length };
  });
  const columns = useMemo(() => columnsOf(SHOWN, own, words, formats), [own, words, formats]);
  const [before, setBefore] = useState<readonly ListRow[]>([]);
  // While one more is fetched, those that were there stay.
  if (loaded.data && loaded.data.rows !== before) setBefore(loaded.data.rows);
  const rows = loaded.data?.rows ?? before;
  const gone = loaded.isSuccess ? cart.ids.length - rows.length : 0;
  return (
    <>
      {loaded.error && <Trouble error={loaded.error} retry={() => void loaded.refetch()} />}
      {loaded.isFetching && rows.length === 0 && <Far progress={loaded.progress} />}
      {gone > 0 && <p className="banner warn">{own.carts.gone(formats.number(gone))}</p>}
      <Table
        label={cart.name}
        rows={rows}
        columns={columns}
        keyOf={keyOf}
        sort=""
        fileName={cart.name}
        actions={(ticked) => (
          <>
            <Button onPress={() => change(ticked)}>{own.carts.change}</Button>
            <Button
              onPress={() =>
                takeFrom(
                  owner,
                  cart.name,
                  ticked.map(({ key }) => key),
                )
              }
            >
              {own.carts.takeOut}
            </Button>
            <PrintLabels items={ticked.flatMap(({ item }) => item ?? [])} />
            <Button onPress={() => print(<Printed name={cart.name} rows={ticked} />)}>{words.print}</Button>
          </>
        )}
      >
        <PasteIntoCart owner={owner} cart={cart} />
        <Button
          kind="quiet"
          isDisabled={rows.length === 0}
          onPress={() => print(<Printed name={cart.name} rows={rows} />)}
        >
          {words.print}
        </Button>
        <Removing onRemove={() => removeCart(owner, cart.name)} />
      </Table>
      {cart.ids.length === 0 && <Empty>{own.carts.empty}</Empty>}
      {changing && <ChangeDialog rows={changing} onClose={() => change(undefined)} />}
      {paper}
    </>
  );
}

function Removing({ onRemove }: { onRemove: () => void }) {
  const own = useListWords().carts;
  return (
    <Opens>
      <Button kind="quiet">{own.remove}</Button>
      <FormDialog title={own.remove} submit={own.remove} danger onSubmit={async () => onRemove()}>
        <p>{own.removeHelp}</p>
      </FormDialog>
    </Opens>
  );
}

function Printed({ name, rows }: { name: string; rows: readonly ListRow[] }) {
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
