/** The blocks of a patron: manual ones, which staff have set, and automated ones, which come from limits. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { allBlocks, type Block } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { EmptyMessage, ErrorMessage, Loading, ReloadError } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { BlockDialog } from "./block-dialog.tsx";
import { usePatronWords } from "./words/index.tsx";

export function PatronBlocks({ user }: { user: User }) {
  const words = useWords();
  const own = usePatronWords().blocks;
  const may = useMay();
  const all = useQuery(allBlocks(user.id));
  if (all.isPending) return <Loading />;
  if (all.isLoadingError) return <ErrorMessage error={all.error} retry={() => void all.refetch()} />;
  const [past, now] = [all.data.filter(({ ended }) => ended), all.data.filter(({ ended }) => !ended)];
  return (
    <section aria-label={words.patrons.blocks}>
      <ReloadError asked={all} />
      {may("manualblocks.item.post") && (
        <div className="tools">
          <DialogOpener>
            <Button>{words.patrons.addBlock}</Button>
            <BlockDialog userId={user.id} />
          </DialogOpener>
        </div>
      )}
      {now.length === 0 && <EmptyMessage>{words.patrons.noBlocks}</EmptyMessage>}
      <ul className="rows">
        {now.map((block) => (
          <BlockRow key={block.id} block={block} />
        ))}
      </ul>
      {past.length > 0 && (
        <>
          <h2>{own.past}</h2>
          <p className="help">{own.pastHelp}</p>
          <ul className="rows">
            {past.map((block) => (
              <BlockRow key={block.id} block={block} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function BlockRow({ block }: { block: Block }) {
  const words = useWords();
  const own = usePatronWords().blocks;
  const formats = useFormats();
  const may = useMay();
  const { record } = block;
  const against = (["borrowing", "renewals", "requests"] as const).filter((what) => block[what]);
  return (
    <li className="row">
      <div className="what">
        <strong>{block.message}</strong>
        {block.staff && <small>{block.staff}</small>}
        {record?.patronMessage && <small>{own.says(record.patronMessage)}</small>}
        <small>{against.map((what) => words.patrons.against[what]).join(", ")}</small>
      </div>
      <p className="due quiet">
        {record ? words.patrons.byStaff : words.patrons.byLimit}
        {record?.expirationDate && (
          <small>{(block.ended ? own.ended : words.patron.expires)(formats.day(record.expirationDate))}</small>
        )}
      </p>
      {record && (
        <div className="actions">
          {may("manualblocks.item.put") && (
            <DialogOpener>
              <Button kind="quiet" aria-label={`${words.patrons.edit}: ${block.message}`}>
                {words.patrons.edit}
              </Button>
              <BlockDialog userId={record.userId} stored={record} />
            </DialogOpener>
          )}
          {may("manualblocks.item.delete") && (
            <DialogOpener>
              <Button kind="quiet" aria-label={`${words.remove}: ${block.message}`}>
                {words.remove}
              </Button>
              <RemoveBlock id={block.id} message={block.message} />
            </DialogOpener>
          )}
        </div>
      )}
    </li>
  );
}

function RemoveBlock({ id, message }: { id: string; message: string }) {
  const words = useWords();
  const client = useQueryClient();
  return (
    <FormDialog
      title={words.patrons.removeBlock}
      submit={words.remove}
      danger
      onSubmit={async () => {
        await ask(`/manualblocks/${id}`, { method: "DELETE" });
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      <p>{message}</p>
    </FormDialog>
  );
}
