/** The form of a proxy relationship: who may borrow for whom, until when, and who receives the notices. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createRefusal } from "../api/http.ts";
import { type ProxyRelationship, storeProxy } from "../api/proxies.ts";
import type { ProxyRecord, User } from "../api/records.ts";
import { endOfDay } from "../loans/override.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { PatronFinder } from "../parts/patron-finder.tsx";
import { patronName } from "../parts/portrait.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { usePatronWords } from "./words/index.tsx";

interface Props {
  user: User;
  /** What the other patron is to the user: sponsor or proxy. */
  role: ProxyRelationship["role"];
  relation?: ProxyRelationship;
}

type Draft = Omit<ProxyRecord, "id"> & { id?: string };

const NEW_PROXY: Draft = {
  status: "Active",
  requestForSponsor: "Yes",
  notificationsTo: "Sponsor",
  accrueTo: "Sponsor",
};

export function ProxyDialog({ user, role, relation }: Props) {
  const words = usePatronWords().proxies;
  const common = useWords();
  const client = useQueryClient();
  const { timeZone, isoDay } = useFormats();
  const [draft, setDraft] = useState<Draft>(relation?.record ?? NEW_PROXY);
  const [other, setOther] = useState(relation?.other);
  const [last, setLast] = useState(draft.expirationDate ? isoDay(draft.expirationDate) : "");
  const change = (part: Draft) => setDraft((now) => ({ ...now, ...part }));
  return (
    <FormDialog
      title={relation?.other ? words.of(patronName(relation.other)) : words[role].add}
      submit={common.save}
      onSubmit={async () => {
        const { expirationDate: _, ...rest } = draft;
        const ends = { ...(last && { expirationDate: endOfDay(last, timeZone) }) };
        await storeProxy({ ...rest, ...ends, ...(!relation && proxyAndSponsorIds(user, role, other, words)) });
        await client.invalidateQueries({ queryKey: ["patron"] });
      }}
    >
      {!relation && <PatronFinder label={words[role].who} onChange={setOther} />}
      <Field type="date" label={words.until} help={words.untilHelp} value={last} onChange={setLast} />
      <Choice
        label={words.notices}
        options={(["Sponsor", "Proxy"] as const).map((id) => ({ id, name: words.receivers[id] }))}
        value={draft.notificationsTo === "Proxy" ? "Proxy" : "Sponsor"}
        onChange={(notificationsTo) => change({ notificationsTo })}
      />
      <CheckboxField
        value={draft.requestForSponsor === "Yes"}
        onChange={(may) => change({ requestForSponsor: may ? "Yes" : "No" })}
      >
        {words.requests}
      </CheckboxField>
      <CheckboxField
        value={draft.status === "Active"}
        onChange={(on) => change({ status: on ? "Active" : "Inactive" })}
      >
        {common.patron.active}
      </CheckboxField>
    </FormDialog>
  );
}

/** The ids of sponsor and proxy in a new relationship. */
function proxyAndSponsorIds(
  user: User,
  role: ProxyRelationship["role"],
  other: User | undefined,
  words: { whom: string; self: string },
) {
  if (other === undefined) throw createRefusal(422, words.whom);
  if (other.id === user.id) throw createRefusal(422, words.self);
  return role === "proxy" ? { userId: user.id, proxyUserId: other.id } : { userId: other.id, proxyUserId: user.id };
}
