/** What stands against a patron: what staff have written, and what limits have been reached. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { ask } from "../api/http.ts";
import { blocks } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";

export function Blocks({ user }: { user: User }) {
  const words = useWords();
  const may = useMay();
  const all = useQuery(blocks(user.id));
  if (all.isPending) return <Loading />;
  if (all.error) return <Trouble error={all.error} retry={() => void all.refetch()} />;
  return (
    <section aria-label={words.patrons.blocks}>
      {may("manualblocks.item.post") && (
        <div className="tools">
          <Opens>
            <Button>{words.patrons.addBlock}</Button>
            <NewBlock user={user} />
          </Opens>
        </div>
      )}
      {all.data.length === 0 && <Empty>{words.patrons.noBlocks}</Empty>}
      <ul className="rows">
        {all.data.map((block) => (
          <li className="row" key={block.id}>
            <div className="what">
              <strong>{block.message}</strong>
              {block.staff && <small>{block.staff}</small>}
              <small>
                {[
                  block.borrowing && words.patrons.against.borrowing,
                  block.renewals && words.patrons.against.renewals,
                  block.requests && words.patrons.against.requests,
                ]
                  .filter(Boolean)
                  .join(", ")}
              </small>
            </div>
            <p className="due quiet">{block.manual ? words.patrons.byStaff : words.patrons.byLimit}</p>
            {block.manual && may("manualblocks.item.delete") && (
              <div className="actions">
                <Opens>
                  <Button kind="quiet" aria-label={`${words.remove}: ${block.message}`}>
                    {words.remove}
                  </Button>
                  <RemoveBlock id={block.id} message={block.message} />
                </Opens>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
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

const AGAINST = ["borrowing", "renewals", "requests"] as const;

function NewBlock({ user }: { user: User }) {
  const words = useWords();
  const client = useQueryClient();
  const [desc, setDesc] = useState("");
  const [staffInformation, setStaffInformation] = useState("");
  const [against, setAgainst] = useState({ borrowing: true, renewals: true, requests: true });
  return (
    <FormDialog
      title={words.patrons.addBlock}
      submit={words.save}
      onSubmit={async () => {
        const body = { type: "Manual", desc, staffInformation, userId: user.id, ...against };
        await ask("/manualblocks", { method: "POST", body });
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      <Field label={words.patrons.blockWhy} value={desc} onChange={setDesc} isRequired autoFocus />
      <Field label={words.patrons.blockStaff} value={staffInformation} onChange={setStaffInformation} lines={2} />
      <fieldset className="checks">
        <legend>{words.patrons.blockAgainst}</legend>
        {AGAINST.map((what) => (
          <Checkbox
            className="check"
            key={what}
            isSelected={against[what]}
            onChange={(on) => setAgainst((now) => ({ ...now, [what]: on }))}
          >
            <span className="tick" aria-hidden="true" />
            {words.patrons.against[what]}
          </Checkbox>
        ))}
      </fieldset>
    </FormDialog>
  );
}
