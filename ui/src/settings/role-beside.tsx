/** Beside the form of a role: its permissions, and a search to add others. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { allPermissions } from "../api/settings-permissions.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { permissionLabel, permissionPaths } from "../staff/reach.ts";
import type { SettingRecord } from "./kind.ts";
import { useSettingsWords } from "./words/index.tsx";

const MAX_FOUND = 10;

export function BesideRole({ draft, onChange }: { draft: SettingRecord; onChange: (draft: SettingRecord) => void }) {
  const settings = useSettingsWords();
  const words = settings.permissions;
  const may = useMay();
  const all = useQuery(allPermissions);
  const [text, setText] = useState("");
  if (all.isPending) return <Loading />;
  if (all.error) return <ErrorMessage error={all.error} retry={() => void all.refetch()} />;
  const held = (draft.subPermissions ?? []) as string[];
  const change = (subPermissions: string[]) => onChange({ ...draft, subPermissions });
  const allowed = may(draft.id === undefined ? "perms.permissions.item.post" : "perms.permissions.item.put");
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...all.data.values()].filter(
    ({ permissionName, displayName = "", deprecated }) =>
      parts.length > 0 &&
      !deprecated &&
      permissionName !== draft.permissionName &&
      !held.includes(permissionName) &&
      parts.every((part) => `${permissionName} ${displayName}`.toLowerCase().includes(part)),
  );
  return (
    <section className="sheet" aria-label={words.inside}>
      <h2>{words.inside}</h2>
      <p className="help">{words.insideCount(held.length, permissionPaths(held, all.data).size)}</p>
      {allowed && (
        <>
          <Field label={words.find} value={text} onChange={setText} />
          <ul className="people">
            {found.slice(0, MAX_FOUND).map(({ permissionName, subPermissions = [] }) => (
              <li key={permissionName}>
                <Button className="person" onPress={() => change([...held, permissionName])}>
                  <span>
                    {permissionLabel(permissionName, all.data)}
                    <small>{subPermissions.length > 0 ? words.holds(subPermissions.length) : permissionName}</small>
                  </span>
                </Button>
              </li>
            ))}
          </ul>
          {found.length > MAX_FOUND && <p className="help">{words.more(found.length - MAX_FOUND)}</p>}
        </>
      )}
      <ul className="rows">
        {held.map((name) => (
          <li className="row short" key={name}>
            <div className="what">
              <strong>{permissionLabel(name, all.data)}</strong>
              {permissionLabel(name, all.data) !== name && <small className="code">{name}</small>}
            </div>
            {allowed && (
              <div className="actions">
                <Button
                  kind="quiet"
                  aria-label={`${settings.removeRow}: ${permissionLabel(name, all.data)}`}
                  onPress={() => change(held.filter((one) => one !== name))}
                >
                  {settings.removeRow}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
