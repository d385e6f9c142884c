/** Beside the form of a role: what it holds, and what else could go in. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { allPermissions } from "../api/settings-permissions.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { Loading, Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { called, ways } from "../staff/reach.ts";
import type { Stored } from "./kind.ts";
import { useSettingsWords } from "./words/index.tsx";

const SHOWN = 10;

export function BesideRole({ draft, onChange }: { draft: Stored; onChange: (draft: Stored) => void }) {
  const settings = useSettingsWords();
  const words = settings.permissions;
  const may = useMay();
  const all = useQuery(allPermissions);
  const [text, setText] = useState("");
  if (all.isPending) return <Loading />;
  if (all.error) return <Trouble error={all.error} retry={() => void all.refetch()} />;
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
      <p className="help">{words.insideCount(held.length, ways(held, all.data).size)}</p>
      {allowed && (
        <>
          <Field label={words.find} value={text} onChange={setText} />
          <ul className="people">
            {found.slice(0, SHOWN).map(({ permissionName, subPermissions = [] }) => (
              <li key={permissionName}>
                <Button className="person" onPress={() => change([...held, permissionName])}>
                  <span>
                    {called(permissionName, all.data)}
                    <small>{subPermissions.length > 0 ? words.holds(subPermissions.length) : permissionName}</small>
                  </span>
                </Button>
              </li>
            ))}
          </ul>
          {found.length > SHOWN && <p className="help">{words.more(found.length - SHOWN)}</p>}
        </>
      )}
      <ul className="rows">
        {held.map((name) => (
          <li className="row short" key={name}>
            <div className="what">
              <strong>{called(name, all.data)}</strong>
              {called(name, all.data) !== name && <small className="code">{name}</small>}
            </div>
            {allowed && (
              <div className="actions">
                <Button
                  kind="quiet"
                  aria-label={`${settings.removeRow}: ${called(name, all.data)}`}
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
