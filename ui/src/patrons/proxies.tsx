/**
 * The sponsors and the proxies of a patron. For each sponsor, such as the patron's children, it shows the number of
 * loans and the amount owed: FOLIO has no other relationship for families.
 */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import {
  type AccountSummary,
  accountSummaries,
  deleteProxy,
  type ProxyRelationship,
  proxyRelationships,
} from "../api/proxies.ts";
import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { patronName } from "../parts/portrait.tsx";
import { EmptyMessage, ErrorMessage, Loading, ReloadError } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { ProxyDialog } from "./proxy-dialog.tsx";
import { usePatronWords } from "./words/index.tsx";

const NO_LOANS: AccountSummary = { loans: 0, overdue: 0, owed: 0 };
const ROLES = ["sponsor", "proxy"] as const;

export function PatronProxies({ user }: { user: User }) {
  const words = usePatronWords().proxies;
  const may = useMay();
  const all = useQuery(proxyRelationships(user.id));
  const sponsors = (all.data ?? []).filter(({ role, other }) => role === "sponsor" && other !== undefined);
  const asked = accountSummaries(sponsors.map(({ other }) => other?.id ?? "").sort());
  const mayKnow = may("circulation.loans.collection.get", "accounts.collection.get");
  const known = useQuery({ ...asked, enabled: mayKnow && sponsors.length > 0 }).data;
  if (all.isPending) return <Loading />;
  if (all.isLoadingError) return <ErrorMessage error={all.error} retry={() => void all.refetch()} />;
  const sections = ROLES.map((role) => {
    const those = all.data.filter((relation) => relation.role === role);
    return (
      <section key={role} aria-label={words[role].title}>
        <div className="tools">
          <h2>{words[role].title}</h2>
          {may("proxiesfor.item.post") && (
            <DialogOpener>
              <Button>{words[role].add}</Button>
              <ProxyDialog user={user} role={role} />
            </DialogOpener>
          )}
        </div>
        {those.length === 0 && <EmptyMessage>{words[role].none}</EmptyMessage>}
        <ul className="rows">
          {those.map((relation) => (
            <ProxyRow
              key={relation.record.id}
              user={user}
              relation={relation}
              standing={role === "sponsor" && known ? (known.get(relation.other?.id ?? "") ?? NO_LOANS) : undefined}
            />
          ))}
        </ul>
      </section>
    );
  });
  return (
    <>
      <ReloadError asked={all} />
      {sections}
    </>
  );
}

function ProxyRow(props: { user: User; relation: ProxyRelationship; standing: AccountSummary | undefined }) {
  const { user, relation, standing } = props;
  const words = usePatronWords().proxies;
  const common = useWords();
  const formats = useFormats();
  const may = useMay();
  const { record, other } = relation;
  const name = other ? patronName(other) : words.deleted;
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
          <DialogOpener>
            <Button kind="quiet" aria-label={`${common.patrons.edit}: ${name}`}>
              {common.patrons.edit}
            </Button>
            <ProxyDialog user={user} role={relation.role} relation={relation} />
          </DialogOpener>
        )}
        {may("proxiesfor.item.delete") && (
          <DialogOpener>
            <Button kind="quiet" aria-label={`${common.remove}: ${name}`}>
              {common.remove}
            </Button>
            <RemoveProxy id={record.id} name={name} />
          </DialogOpener>
        )}
      </div>
    </li>
  );
}

function RemoveProxy({ id, name }: { id: string; name: string }) {
  const words = usePatronWords().proxies;
  const common = useWords();
  const client = useQueryClient();
  return (
    <FormDialog
      title={words.remove(name)}
      submit={common.remove}
      danger
      onSubmit={async () => {
        await deleteProxy(id);
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      <p>{words.removeHelp}</p>
    </FormDialog>
  );
}
