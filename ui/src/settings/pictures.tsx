/** Settings of patron photos: whether they are used, and their largest size. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api/http.ts";
import { type PictureSettings, pictureSettings } from "../api/pictures.ts";
import { Field } from "../parts/field.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { WholeForm } from "./whole-form.tsx";
import { useSettingsWords } from "./words/index.tsx";

/** The largest size that FOLIO allows, in megabytes. */
const MAX_MEGABYTES = 10;

export function Pictures() {
  // Not reloaded while somebody edits the form.
  const asked = useQuery({ ...pictureSettings, staleTime: Number.POSITIVE_INFINITY });
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return <PicturesForm stored={asked.data} />;
}

function PicturesForm({ stored }: { stored: PictureSettings }) {
  const { pictures: words, saved } = useSettingsWords();
  const client = useQueryClient();
  const allowed = useMay()("users.configurations.item.put");
  const [enabled, setEnabled] = useState(stored.enabled ?? false);
  const [most, setMost] = useState(String(stored.maxFileSize ?? ""));
  const megabytes = Number(most.replace(",", "."));
  const isChanged = enabled !== (stored.enabled ?? false) || megabytes !== (stored.maxFileSize ?? 0);
  const saving = useMutation({
    mutationFn: async () => {
      // Other members, such as the encryption key of the photos, are kept as they are stored.
      const now = await ask<PictureSettings>("/users/configurations/entry");
      const { id, ...rest } = { ...now, enabled, maxFileSize: megabytes };
      await ask(`/users/configurations/entry/${id}`, { method: "PUT", body: { id, ...rest } });
      await client.invalidateQueries({ queryKey: pictureSettings.queryKey });
      announce(saved);
    },
  });
  return (
    <WholeForm help={words.help} mayChange={allowed} isChanged={isChanged} saving={saving} error={saving.error}>
      <section className="sheet" aria-label={words.many}>
        <div className="fields">
          <CheckboxField
            value={enabled}
            onChange={(on) => {
              saving.reset();
              setEnabled(on);
            }}
          >
            {words.enabled}
          </CheckboxField>
          <Field
            label={words.most}
            help={words.mostHelp}
            value={most}
            onChange={(text) => {
              saving.reset();
              setMost(text);
            }}
            inputMode="decimal"
            pattern="\d+([.,]\d+)?"
            isRequired
            error={megabytes > 0 && megabytes <= MAX_MEGABYTES ? undefined : words.tooMuch(MAX_MEGABYTES)}
          />
        </div>
      </section>
    </WholeForm>
  );
}
