/** Settings of single sign-on: the log-in service, and how its users are matched with users of the library. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SsoSettings } from "../api/octavo.ts";
import { signOnSettings, storeSignOnSettings } from "../api/sign-on.ts";
import { toCanonicalJson } from "../parts/canonical.ts";
import { Choice } from "../parts/choice.tsx";
import { Code } from "../parts/code.tsx";
import { Field } from "../parts/field.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { errorOfWhole, refusalOfMember, WholeForm } from "./whole-form.tsx";
import { useSettingsWords } from "./words/index.tsx";

export function SignOn() {
  // Not reloaded while somebody edits the form.
  const asked = useQuery({ ...signOnSettings, staleTime: Number.POSITIVE_INFINITY });
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return <SignOnForm stored={asked.data} />;
}

type TextMember = "issuer" | "clientId" | "scopes" | "claim" | "buttonText" | "publicUrl" | "userInterfaceUrl";

const USER_FIELDS = ["username", "email", "externalSystemId", "barcode"] as const;

function SignOnForm({ stored }: { stored: SsoSettings }) {
  const { signOn: words, saved } = useSettingsWords();
  const client = useQueryClient();
  const allowed = useMay()("octavo.sso.settings.put");
  const proposed = { ...stored, publicUrl: stored.publicUrl || location.origin };
  const [draft, setDraft] = useState(proposed);
  const [secret, setSecret] = useState("");
  const saving = useMutation({
    mutationFn: async () => {
      const { clientSecretSet: _, redirectUri: __, ...settings } = draft;
      const now = await storeSignOnSettings({ ...settings, ...(secret && { clientSecret: secret }) });
      client.setQueryData(signOnSettings.queryKey, now);
      setDraft({ ...now, publicUrl: now.publicUrl || location.origin });
      setSecret("");
      announce(saved);
    },
  });
  const change = (changed: Partial<SsoSettings>) => {
    saving.reset();
    setDraft((before) => ({ ...before, ...changed }));
  };
  const isChanged = secret !== "" || toCanonicalJson(draft) !== toCanonicalJson(proposed);
  const wrongAt = (name: string) => {
    const message = refusalOfMember(saving.error, name);
    return message && words.wrong(message);
  };
  const text = (name: TextMember, isRequired: boolean, help?: string) => (
    <Field
      label={words[name]}
      help={help}
      value={draft[name]}
      onChange={(value) => change({ [name]: value })}
      isRequired={isRequired && draft.active}
      error={wrongAt(name)}
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
      <section className="sheet" aria-label={words.service}>
        <h2>{words.service}</h2>
        <div className="fields">
          <CheckboxField value={draft.active} onChange={(active) => change({ active })}>
            {words.active}
          </CheckboxField>
          {text("issuer", true, words.issuerHelp)}
          {text("clientId", true, words.clientIdHelp)}
          <Field
            label={words.clientSecret}
            help={stored.clientSecretSet || draft.clientSecretSet ? words.secretKept : words.secretNone}
            type="password"
            autoComplete="off"
            value={secret}
            onChange={(value) => {
              saving.reset();
              setSecret(value);
            }}
          />
          {text("scopes", true, words.scopesHelp)}
        </div>
        <p className="help">
          {words.redirect} <Code>{redirectAddress(draft)}</Code>
        </p>
      </section>
      <section className="sheet" aria-label={words.person}>
        <h2>{words.person}</h2>
        <div className="fields">
          {text("claim", true, words.claimHelp)}
          <Choice
            label={words.field}
            help={words.fieldHelp}
            options={USER_FIELDS.map((id) => ({ id, name: words.fields[id] }))}
            value={draft.field}
            onChange={(field) => change({ field })}
          />
        </div>
      </section>
      <section className="sheet" aria-label={words.here}>
        <h2>{words.here}</h2>
        <div className="fields">
          {text("buttonText", false, words.buttonTextHelp)}
          {text("publicUrl", true, words.publicUrlHelp)}
          {text("userInterfaceUrl", false, words.userInterfaceUrlHelp)}
        </div>
      </section>
    </WholeForm>
  );
}

/** The redirect address, with the address of this server as it is typed. */
function redirectAddress({ publicUrl, redirectUri }: SsoSettings): string {
  const path = redirectUri.slice(redirectUri.indexOf("/_/invoke/"));
  return publicUrl.replace(/\/+$/, "") + path;
}
