/** What somebody may do and why: what they were given, what follows from it, and what would have to be given. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { User } from "../api/records.ts";
import { allPermissions, grant, grantsOf, type Permission, withdraw } from "../api/settings-permissions.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { nameOf } from "../parts/portrait.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useSettingsWords } from "../settings/words/index.tsx";
import { useMay } from "../shell/session.ts";
import { SetPassword } from "./password.tsx";
import { type Catalogue, called, holders, ways } from "./reach.ts";
import "../settings/settings.css";
import { Code } from "../parts/code.tsx";

/** So many answers are read. */
const MOST = 25;

export default function Permissions({ user }: { user: User }) {
  const words = useSettingsWords().permissions;
  const may = useMay();
  const all = useQuery(allPermissions);
  const given = useQuery(grantsOf(user.id));
  if (all.isPending || given.isPending) return <Loading />;
  if (all.error) return <Trouble error={all.error} retry={() => void all.refetch()} />;
  if (given.error) return <Trouble error={given.error} retry={() => void given.refetch()} />;
  return (
    <section className="settings work" aria-label={words.title}>
      <div className="tools">
        {may("perms.users.item.post") && (
          <Opens>
            <Button>{words.give}</Button>
            <Give user={user} given={given.data} all={all.data} />
          </Opens>
        )}
        <SetPassword user={user} />
      </div>
      <Explain user={user} given={given.data ?? []} all={all.data} />
      <Given user={user} given={given.data ?? []} all={all.data} />
    </section>
  );
}

/** Why may they do that? */
function Explain({ user, given, all }: { user: User; given: readonly string[]; all: Catalogue }) {
  const words = useSettingsWords().permissions;
  const [get] = useAddress();
  const text = get("permission").toLowerCase();
  const reached = useMemo(() => ways(given, all), [given, all]);
  const found = useMemo(() => matching(text, all), [text, all]);
  return (
    <>
      <SearchLine name="permission" label={words.why(nameOf(user))} help={words.whyHelp} isMain={false} />
      {text !== "" && found.length === 0 && <Empty>{words.noSuch}</Empty>}
      {found.length > 0 && (
        <ul className="rows" aria-label={words.answers}>
          {found.slice(0, MOST).map((permission) => (
            <Answer key={permission.permissionName} permission={permission} reached={reached} all={all} />
          ))}
        </ul>
      )}
      {found.length > MOST && <p className="help">{words.more(found.length - MOST)}</p>}
    </>
  );
}

function matching(text: string, all: Catalogue): Permission[] {
  if (text === "") return [];
  const parts = text.split(/\s+/);
  return [...all.values()].filter(({ permissionName, displayName = "" }) => {
    const said = `${permissionName} ${displayName}`.toLowerCase();
    return parts.every((part) => said.includes(part));
  });
}

function Answer({
  permission,
  reached,
  all,
}: {
  permission: Permission;
  reached: ReadonlyMap<string, readonly string[]>;
  all: Catalogue;
}) {
  const words = useSettingsWords().permissions;
  const name = permission.permissionName;
  const way = reached.get(name);
  return (
    <li className="row short">
      <div className="what">
        <strong>{called(name, all)}</strong>
        {called(name, all) !== name && <small className="code">{name}</small>}
        {way ? (
          <small>
            {way.length === 1 ? words.givenItself : words.through(way.slice(0, -1).map((one) => called(one, all)))}
          </small>
        ) : (
          <small>
            {words.wouldCome(
              holders(name, all)
                .slice(0, 4)
                .map((one) => called(one.permissionName, all)),
            )}
          </small>
        )}
      </div>
      <p className={`due ${way ? "good" : "quiet"}`}>{way ? words.may : words.mayNot}</p>
    </li>
  );
}

function Given({ user, given, all }: { user: User; given: readonly string[]; all: Catalogue }) {
  const words = useSettingsWords().permissions;
  const may = useMay();
  const reached = useMemo(() => ways(given, all), [given, all]);
  const isRole = (name: string) => all.get(name)?.mutable === true;
  const sorted = [...given].sort(
    (one, other) => Number(isRole(other)) - Number(isRole(one)) || called(one, all).localeCompare(called(other, all)),
  );
  return (
    <>
      <h2>{words.given}</h2>
      <p className="help">{given.length === 0 ? words.nothing : words.count(given.length, reached.size)}</p>
      <ul className="rows">
        {sorted.map((name) => {
          const inside = all.get(name)?.subPermissions?.length ?? 0;
          return (
            <li className="row short" key={name}>
              <div className="what">
                <strong>{called(name, all)}</strong>
                <small>
                  {isRole(name) && `${words.role} · `}
                  {all.get(name)?.description && `${all.get(name)?.description} · `}
                  {inside > 0 ? words.holds(inside) : <Code>{name}</Code>}
                </small>
              </div>
              {may("perms.users.item.delete") && (
                <div className="actions">
                  <Opens>
                    <Button kind="quiet" aria-label={`${words.take}: ${called(name, all)}`}>
                      {words.take}
                    </Button>
                    <Take user={user} name={name} all={all} />
                  </Opens>
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Take({ user, name, all }: { user: User; name: string; all: Catalogue }) {
  const words = useSettingsWords().permissions;
  const client = useQueryClient();
  return (
    <FormDialog
      title={words.takeTitle(called(name, all), nameOf(user))}
      submit={words.take}
      danger
      onSubmit={async () => {
        await withdraw(user.id, name);
        await client.invalidateQueries({ queryKey: ["patron", user.id, "permissions"] });
        announce(words.taken);
      }}
    >
      <p>{words.takeHelp}</p>
    </FormDialog>
  );
}

function Give({ user, given, all }: { user: User; given: readonly string[] | null; all: Catalogue }) {
  const words = useSettingsWords().permissions;
  return (
    <Dialog title={words.giveTitle(nameOf(user))}>
      {(close) => <Choose user={user} given={given} all={all} close={close} />}
    </Dialog>
  );
}

/** Roles and sets; single permissions once somebody looks for one. */
function Choose({
  user,
  given,
  all,
  close,
}: {
  user: User;
  given: readonly string[] | null;
  all: Catalogue;
  close: () => void;
}) {
  const words = useSettingsWords().permissions;
  const client = useQueryClient();
  const [text, setText] = useState("");
  const giving = useMutation({
    mutationFn: (name: string) => grant(user.id, name, given === null),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["patron", user.id, "permissions"] });
      announce(words.done);
      close();
    },
  });
  const open = [...all.values()].filter(
    ({ permissionName, deprecated }) => !deprecated && !given?.includes(permissionName),
  );
  const found = text
    ? matching(text.toLowerCase(), new Map(open.map((one) => [one.permissionName, one])))
    : open.filter(({ mutable }) => mutable);
  return (
    <>
      <Field label={words.find} value={text} onChange={setText} autoFocus />
      <ul className="people">
        {found.slice(0, 12).map(({ permissionName, displayName, subPermissions = [] }) => (
          <li key={permissionName}>
            <Button className="person" onPress={() => giving.mutate(permissionName)} isDisabled={giving.isPending}>
              <span>
                {displayName || permissionName}
                <small>{subPermissions.length > 0 ? words.holds(subPermissions.length) : permissionName}</small>
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {text === "" && found.length === 0 && <p className="help">{words.noRoles}</p>}
      {giving.error && <Trouble error={giving.error} />}
    </>
  );
}
