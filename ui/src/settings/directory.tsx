/** Settings of the LDAP directory that checks passwords: its address, and how the entry of a user is found. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { directorySettings, storeDirectory } from "../api/directory.ts";
import type { LdapSettings } from "../api/octavo.ts";
import { toCanonicalJson } from "../parts/canonical.ts";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { errorOfWhole, refusalOfMember, WholeForm } from "./whole-form.tsx";
import { useSettingsWords } from "./words/index.tsx";

export function Directory() {
  // Not reloaded while somebody edits the form.
  const asked = useQuery({ ...directorySettings, staleTime: Number.POSITIVE_INFINITY });
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return <DirectoryForm stored={asked.data} />;
}

type TextMember = "url" | "authorities" | "userDn" | "searchBase" | "searchFilter" | "bindDn";

const USER_FIELDS = ["username", "email", "externalSystemId", "barcode"] as const;

function DirectoryForm({ stored }: { stored: LdapSettings }) {
  const { directory: words, saved, signOn } = useSettingsWords();
  const client = useQueryClient();
  const allowed = useMay()("octavo.ldap.settings.put");
  const [draft, setDraft] = useState(stored);
  const [password, setPassword] = useState("");
  const saving = useMutation({
    mutationFn: async () => {
      const { bindPasswordSet: _, ...settings } = draft;
      // Without an account there is no password either.
      const sent = draft.bindDn === "" ? { bindPassword: "" } : password && { bindPassword: password };
      const now = await storeDirectory({ ...settings, ...sent });
      client.setQueryData(directorySettings.queryKey, now);
      setDraft(now);
      setPassword("");
      announce(saved);
    },
  });
  const change = (changed: Partial<LdapSettings>) => {
    saving.reset();
    setDraft((before) => ({ ...before, ...changed }));
  };
  const isChanged = password !== "" || toCanonicalJson(draft) !== toCanonicalJson(stored);
  const wrongAt = (name: string) => {
    const message = refusalOfMember(saving.error, name);
    return message && signOn.wrong(message);
  };
  const text = (name: TextMember, help: string, more: { isRequired?: boolean; lines?: number } = {}) => (
    <Field
      label={words[name]}
      help={help}
      value={draft[name]}
      onChange={(value) => change({ [name]: value })}
      error={wrongAt(name)}
      {...more}
    />
  );
  return (
    <WholeForm
      help={words.help}
      mayChange={allowed}
      isChanged={isChanged}
      saving={saving}
      error={errorOfWhole(saving.error)}
    >
      <section className="sheet" aria-label={words.server}>
        <h2>{words.server}</h2>
        <div className="fields">
          <CheckboxField value={draft.active} onChange={(active) => change({ active })}>
            {words.active}
          </CheckboxField>
          {text("url", words.urlHelp, { isRequired: draft.active })}
          <CheckboxField value={draft.unencrypted} onChange={(unencrypted) => change({ unencrypted })}>
            {words.unencrypted}
          </CheckboxField>
          {text("authorities", words.authoritiesHelp, { lines: 4 })}
        </div>
      </section>
      <section className="sheet" aria-label={words.person}>
        <h2>{words.person}</h2>
        <div className="fields">
          <Choice
            label={words.field}
            help={words.fieldHelp}
            options={USER_FIELDS.map((id) => ({ id, name: signOn.fields[id] }))}
            value={draft.field}
            onChange={(field) => change({ field })}
          />
          {text("userDn", words.userDnHelp)}
          {text("searchBase", words.searchBaseHelp)}
          {text("searchFilter", words.searchFilterHelp)}
          {text("bindDn", words.bindDnHelp)}
          <Field
            label={words.bindPassword}
            help={draft.bindPasswordSet ? signOn.secretKept : signOn.secretNone}
            type="password"
            autoComplete="off"
            value={password}
            onChange={(value) => {
              saving.reset();
              setPassword(value);
            }}
            error={wrongAt("bindPassword")}
          />
        </div>
      </section>
    </WholeForm>
  );
}
