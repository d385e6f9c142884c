/**
 * The permissions of a user: the assigned ones, the ones that follow from them, and the sets that would give others.
 */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { User } from "../api/records.ts";
import {
  allPermissions,
  assignedPermissions,
  assignPermission,
  type Permission,
  unassignPermission,
} from "../api/settings-permissions.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { patronName } from "../parts/portrait.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading, ReloadError } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useSettingsWords } from "../settings/words/index.tsx";
import { useMay } from "../shell/session.ts";
import { findPermissions, MAX_ANSWERS, permissionsToAssign } from "./find.ts";
import { PasswordButtons } from "./password.tsx";
import { type Catalogue, containingSets, permissionLabel, permissionPaths } from "./reach.ts";
import "../settings/settings.css";
import { Code } from "../parts/code.tsx";

export default function Permissions({ user }: { user: User }) {
  const words = useSettingsWords().permissions;
  const may = useMay();
  const all = useQuery(allPermissions);
  const given = useQuery(assignedPermissions(user.id));
  if (all.isPending || given.isPending) return <Loading />;
  if (all.isLoadingError) return <ErrorMessage error={all.error} retry={() => void all.refetch()} />;
  if (given.isLoadingError) return <ErrorMessage error={given.error} retry={() => void given.refetch()} />;
  return (
    <section className="settings work" aria-label={words.title}>
      <ReloadError asked={all} />
      <ReloadError asked={given} />
      <div className="tools">
        {may("perms.users.item.post") && (
          <DialogOpener>
            <Button>{words.give}</Button>
            <AssignDialog user={user} given={given.data} all={all.data} />
          </DialogOpener>
        )}
        <PasswordButtons user={user} />
      </div>
      <PermissionSearch user={user} given={given.data ?? []} all={all.data} />
      <AssignedPermissions user={user} given={given.data ?? []} all={all.data} />
    </section>
  );
}

/** Searches for permissions, and explains whether and why the user has them. */
function PermissionSearch({ user, given, all }: { user: User; given: readonly string[]; all: Catalogue }) {
  const words = useSettingsWords().permissions;
  const [get] = useAddress();
  const text = get("permission");
  const reached = useMemo(() => permissionPaths(given, all), [given, all]);
  const found = useMemo(() => findPermissions(text, all), [text, all]);
  return (
    <>
      <SearchLine name="permission" label={words.why(patronName(user))} help={words.whyHelp} isMain={false} />
      {text !== "" && found.length === 0 && <EmptyMessage>{words.noSuch}</EmptyMessage>}
      {found.length > 0 && (
        <ul className="rows" aria-label={words.answers}>
          {found.slice(0, MAX_ANSWERS).map((permission) => (
            <PermissionAnswer key={permission.permissionName} permission={permission} reached={reached} all={all} />
          ))}
        </ul>
      )}
      {found.length > MAX_ANSWERS && <p className="help">{words.more(found.length - MAX_ANSWERS)}</p>}
    </>
  );
}

function PermissionAnswer({
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
        <strong>{permissionLabel(name, all)}</strong>
        {permissionLabel(name, all) !== name && <small className="code">{name}</small>}
        {way ? (
          <small>
            {way.length === 1
              ? words.givenItself
              : words.through(way.slice(0, -1).map((one) => permissionLabel(one, all)))}
          </small>
        ) : (
          <small>
            {words.wouldCome(
              containingSets(name, all)
                .slice(0, 4)
                .map((one) => permissionLabel(one.permissionName, all)),
            )}
          </small>
        )}
      </div>
      <p className={`due ${way ? "good" : "quiet"}`}>{way ? words.may : words.mayNot}</p>
    </li>
  );
}

function AssignedPermissions({ user, given, all }: { user: User; given: readonly string[]; all: Catalogue }) {
  const words = useSettingsWords().permissions;
  const may = useMay();
  const reached = useMemo(() => permissionPaths(given, all), [given, all]);
  const isRole = (name: string) => all.get(name)?.mutable === true;
  const sorted = [...given].sort(
    (one, other) =>
      Number(isRole(other)) - Number(isRole(one)) ||
      permissionLabel(one, all).localeCompare(permissionLabel(other, all)),
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
                <strong>{permissionLabel(name, all)}</strong>
                <small>
                  {isRole(name) && `${words.role} · `}
                  {all.get(name)?.description && `${all.get(name)?.description} · `}
                  {inside > 0 ? words.holds(inside) : <Code>{name}</Code>}
                </small>
              </div>
              {may("perms.users.item.delete") && (
                <div className="actions">
                  <DialogOpener>
                    <Button kind="quiet" aria-label={`${words.take}: ${permissionLabel(name, all)}`}>
                      {words.take}
                    </Button>
                    <UnassignDialog user={user} name={name} all={all} />
                  </DialogOpener>
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function UnassignDialog({ user, name, all }: { user: User; name: string; all: Catalogue }) {
  const words = useSettingsWords().permissions;
  const client = useQueryClient();
  return (
    <FormDialog
      title={words.takeTitle(permissionLabel(name, all), patronName(user))}
      submit={words.take}
      danger
      onSubmit={async () => {
        await unassignPermission(user.id, name);
        await client.invalidateQueries({ queryKey: ["patron", user.id, "permissions"] });
        announce(words.taken);
      }}
    >
      <p>{words.takeHelp}</p>
    </FormDialog>
  );
}

function AssignDialog({ user, given, all }: { user: User; given: readonly string[] | null; all: Catalogue }) {
  const words = useSettingsWords().permissions;
  return (
    <Dialog title={words.giveTitle(patronName(user))}>
      {(close) => <PermissionChoice user={user} given={given} all={all} close={close} />}
    </Dialog>
  );
}

/** Offers roles; other permission sets and single permissions are found by typing. */
function PermissionChoice({
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
    mutationFn: (name: string) => assignPermission(user.id, name, given === null),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["patron", user.id, "permissions"] });
      announce(words.done);
      close();
    },
  });
  const { offered, more } = permissionsToAssign(text, given ?? [], all);
  return (
    <>
      <Field label={words.find} value={text} onChange={setText} autoFocus />
      <ul className="people">
        {offered.map(({ permissionName, displayName, subPermissions = [] }) => (
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
      {offered.length === 0 && <p className="help">{text.trim() === "" ? words.noRoles : words.noSuch}</p>}
      {more > 0 && <p className="help">{words.more(more)}</p>}
      {giving.error && <ErrorMessage error={giving.error} />}
    </>
  );
}
