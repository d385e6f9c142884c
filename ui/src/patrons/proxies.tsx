/**
 * For whom a patron borrows, and who borrows for them. Of those for whom they borrow, such as their children, it shows what is out and
 * owed: FOLIO knows no other relation of a family.
 */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { type Relation, relations, removeRelation, type Standing, standings } from "../api/proxies.ts";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { nameOf } from "../parts/portrait.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { RelationDialog } from "./proxy-dialog.tsx";
import { usePatronWords } from "./words/index.tsx";

const NOTHING: Standing = { loans: 0, overdue: 0, owed: 0 };
const ROLES = ["sponsor", "proxy"] as const;

export function Proxies({ user }: { user: User }) {
  const words = usePatronWords().proxies;
  const may = useMay();
  const all = useQuery(relations(user.id));
  const sponsors = (all.data ?? []).filter(({ role, other }) => role === "sponsor" && other !== undefined);
  const asked = standings(sponsors.map(({ other }) => other?.id ?? "").sort());
  const mayKnow = may("circulation.loans.collection.get", "accounts.collection.get");
  const known = useQuery({ ...asked, enabled: mayKnow && sponsors.length > 0 }).data;
  if (all.isPending) return <Loading />;
  if (all.error) return <Trouble error={all.error} retry={() => void all.refetch()} />;
  return ROLES.map((role) => {
    const those = all.data.filter((relation) => relation.role === role);
    return (
      <section key={role} aria-label={words[role].title}>
        <div className="tools">
          <h2>{words[role].title}</h2>
          {may("proxiesfor.item.post") && (
            <Opens>
              <Button>{words[role].add}</Button>
              <RelationDialog user={user} role={role} />
            </Opens>
          )}
        </div>
        {those.length === 0 && <Empty>{words[role].none}</Empty>}
        <ul className="rows">
          {those.map((relation) => (
            <RelationRow
              key={relation.record.id}
              user={user}
              relation={relation}
              standing={role === "sponsor" && known ? (known.get(relation.other?.id ?? "") ?? NOTHING) : undefined}
            />
          ))}
        </ul>
      </section>
    );
  });
}

function RelationRow(props: { user: User; relation: Relation; standing: Standing | undefined }) {
  const { user, relation, standing } = props;
  const words = usePatronWords().proxies;
  const common = useWords();
  const formats = useFormats();
  const may = useMay();
  const { record, other } = relation;
  const name = other ? nameOf(other) : words.deleted;
  const { expirationDate } = record;
  const isOver = expirationDate !== undefined && Date.parse(expirationDate) < Date.now();
  return (
    <li className="row">
      <div className="what">
        {other ? <Link href={`/patrons/${other.id}`}>{name}</Link> : <strong>{name}</strong>}
        <small className="code">{other?.barcode}</small>
        <small>
          {[
            record.requestForSponsor === "Yes" && words.requests,
            record.notificationsTo && words.noticesTo[record.notificationsTo],
          ]
            .filter(Boolean)
            .join(" · ")}
        </small>
        {standing && (
          <small>
            {words.loans(standing.loans)}
            {standing.overdue > 0 && <span className="bad"> · {words.overdue(standing.overdue)}</span>}
            {standing.owed > 0 && <span className="bad"> · {words.owes(formats.money(standing.owed))}</span>}
          </small>
        )}
      </div>
      <p className="due quiet">
        {record.status !== "Active" && <span className="bad">{common.patron.inactive} </span>}
        {expirationDate && (
          <span className={isOver ? "bad" : ""}>
            {(isOver ? words.ended : common.patron.expires)(formats.day(expirationDate))}
          </span>
        )}
      </p>
      <div className="actions">
        {may("proxiesfor.item.put") && (
          <Opens>
            <Button kind="quiet" aria-label={`${common.patrons.edit}: ${name}`}>
              {common.patrons.edit}
            </Button>
            <RelationDialog user={user} role={relation.role} relation={relation} />
          </Opens>
        )}
        {may("proxiesfor.item.delete") && (
          <Opens>
            <Button kind="quiet" aria-label={`${common.remove}: ${name}`}>
              {common.remove}
            </Button>
            <RemoveRelation id={record.id} name={name} />
          </Opens>
        )}
      </div>
    </li>
  );
}

function RemoveRelation({ id, name }: { id: string; name: string }) {
  const words = usePatronWords().proxies;
  const common = useWords();
  const client = useQueryClient();
  return (
    <FormDialog
      title={words.remove(name)}
      submit={common.remove}
      danger
      onSubmit={async () => {
        await removeRelation(id);
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      <p>{words.removeHelp}</p>
    </FormDialog>
  );
}
