/** Fields of MARC records that imports leave as they are. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  deleteProtection,
  loadProtections,
  type Protection as Setting,
  storeProtection,
} from "../../api/import-profiles.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { EmptyMessage, ErrorMessage, Loading, ReloadError } from "../../parts/states.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";
import { permissionTo } from "./kinds.ts";
import { useProfileWords } from "./words/index.tsx";

const BLANK_SETTING: Setting = { field: "", indicator1: "*", indicator2: "*", subfield: "*", data: "*" };
const PROTECTION_KEY = ["import-profiles", "protection"];

/** As cataloguers write it: `245 1_ $a`. */
export function settingText({ field, indicator1 = "", indicator2 = "", subfield = "" }: Setting): string {
  const indicators = [indicator1, indicator2].map((one) => one.trim() || "_").join("");
  const isControl = Number(field) < 10;
  return isControl ? field : [field, indicators, subfield && `$${subfield}`].filter(Boolean).join(" ");
}

export function ProtectionList() {
  const all = useProfileWords();
  const words = all.protection;
  const may = useMay();
  const asked = useQuery({ queryKey: PROTECTION_KEY, queryFn: loadProtections });
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return (
    <section className="work" aria-label={all.kinds.protection.many}>
      <ReloadError asked={asked} />
      <div className="tools">
        <p className="help">{all.kinds.protection.help}</p>
        {may(permissionTo("post", "protection")) && (
          <DialogOpener>
            <Button kind="primary">{all.kinds.protection.add}</Button>
            <EditDialog setting={BLANK_SETTING} />
          </DialogOpener>
        )}
      </div>
      {asked.data.length === 0 && <EmptyMessage>{all.none}</EmptyMessage>}
      <div className="import-wide">
        <table className="import-table">
          <thead>
            <tr>
              <th scope="col">{all.match.field}</th>
              <th scope="col">{words.data}</th>
              <th scope="col">{words.source}</th>
              <th scope="col">
                <span className="unseen">{words.change}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {asked.data.map((setting) => (
              <SettingRow key={setting.id} setting={setting} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function SettingRow({ setting }: { setting: Setting }) {
  const words = useProfileWords().protection;
  const common = useWords();
  const may = useMay();
  const { data = "", source } = setting;
  const name = settingText(setting);
  const isOwn = source !== "SYSTEM";
  return (
    <tr>
      <th scope="row">
        <code dir="ltr">{name}</code>
      </th>
      <td>{data === "*" || data === "" ? words.any : data}</td>
      <td>{isOwn ? words.library : words.system}</td>
      <td className="actions">
        {isOwn && may(permissionTo("put", "protection")) && (
          <DialogOpener>
            <Button kind="quiet" aria-label={`${words.change}: ${name}`}>
              {words.change}
            </Button>
            <EditDialog setting={setting} />
          </DialogOpener>
        )}
        {isOwn && may(permissionTo("delete", "protection")) && (
          <DialogOpener>
            <Button kind="quiet" aria-label={`${common.remove}: ${name}`}>
              {common.remove}
            </Button>
            <RemoveDialog setting={setting} />
          </DialogOpener>
        )}
      </td>
    </tr>
  );
}

function EditDialog({ setting }: { setting: Setting }) {
  const all = useProfileWords();
  const words = all.protection;
  const common = useWords();
  const client = useQueryClient();
  const [draft, setDraft] = useState(setting);
  const text = (name: keyof Omit<Setting, "id" | "source">, label: string, most: number, help?: string) => (
    <Field
      label={label}
      help={help}
      value={draft[name] ?? ""}
      onChange={(value) => setDraft((now) => ({ ...now, [name]: value }))}
      maxLength={most}
      autoComplete="off"
      {...(name === "field" && { isRequired: true, pattern: "[0-9A-Za-z*]{3}", autoFocus: true })}
    />
  );
  return (
    <FormDialog
      title={setting.id === undefined ? all.kinds.protection.add : words.edit(settingText(setting))}
      submit={common.save}
      onSubmit={async () => {
        await storeProtection({ ...draft, source: "USER" });
        announce(all.saved);
        await client.invalidateQueries({ queryKey: PROTECTION_KEY });
      }}
    >
      <div className="fields import-narrow">
        {text("field", all.match.field, 3, all.match.fieldHelp)}
        {text("indicator1", all.match.ind1, 1)}
        {text("indicator2", all.match.ind2, 1)}
        {text("subfield", all.match.subfield, 1)}
      </div>
      {text("data", words.data, 200, words.dataHelp)}
      <p className="help">{words.help}</p>
    </FormDialog>
  );
}

function RemoveDialog({ setting }: { setting: Setting }) {
  const all = useProfileWords();
  const words = all.protection;
  const client = useQueryClient();
  const name = settingText(setting);
  return (
    <FormDialog
      title={words.removeTitle(name)}
      submit={all.delete}
      danger
      onSubmit={async () => {
        await deleteProtection(setting.id ?? "");
        announce(all.deleted);
        await client.invalidateQueries({ queryKey: PROTECTION_KEY });
      }}
    >
      <p>{words.removeHelp}</p>
    </FormDialog>
  );
}
