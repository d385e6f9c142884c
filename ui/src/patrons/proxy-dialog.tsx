/** Whether somebody may borrow for another, until when, and who is told. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { refusing } from "../api/http.ts";
import { keepRelation, type Relation } from "../api/proxies.ts";
import type { ProxyOf, User } from "../api/records.ts";
import { endOfDay } from "../loans/override.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { PatronFinder } from "../parts/patron-finder.tsx";
import { nameOf } from "../parts/portrait.tsx";
import { Tick } from "../parts/tick.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { usePatronWords } from "./words/index.tsx";

interface Props {
  user: User;
  /** What the other one is to the user. */
  role: Relation["role"];
  relation?: Relation;
}

type Draft = Omit<ProxyOf, "id"> & { id?: string };

const NEW: Draft = { status: "Active", requestForSponsor: "Yes", notificationsTo: "Sponsor", accrueTo: "Sponsor" };

export function RelationDialog({ user, role, relation }: Props) {
  const words = usePatronWords().proxies;
  const common = useWords();
  const client = useQueryClient();
  const { timeZone, isoDay } = useFormats();
  const [draft, setDraft] = useState<Draft>(relation?.record ?? NEW);
  const [other, setOther] = useState(relation?.other);
  const [last, setLast] = useState(draft.expirationDate ? isoDay(draft.expirationDate) : "");
  const change = (part: Draft) => setDraft((now) => ({ ...now, ...part }));
  return (
    <FormDialog
      title={relation?.other ? words.of(nameOf(relation.other)) : words[role].add}
      submit={common.save}
      onSubmit={async () => {
        const { expirationDate: _, ...rest } = draft;
        const ends = { ...(last && { expirationDate: endOfDay(last, timeZone) }) };
        await keepRelation({ ...rest, ...ends, ...(!relation && endsOf(user, role, other, words)) });
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
      <Tick
        value={draft.requestForSponsor === "Yes"}
        onChange={(may) => change({ requestForSponsor: may ? "Yes" : "No" })}
      >
        {words.requests}
      </Tick>
      <Tick value={draft.status === "Active"} onChange={(on) => change({ status: on ? "Active" : "Inactive" })}>
        {common.patron.active}
      </Tick>
    </FormDialog>
  );
}

/** Who is who in a new relation. */
function endsOf(user: User, role: Relation["role"], other: User | undefined, words: { whom: string; self: string }) {
  if (other === undefined) throw refusing(422, words.whom);
  if (other.id === user.id) throw refusing(422, words.self);
  return role === "proxy" ? { userId: user.id, proxyUserId: other.id } : { userId: other.id, proxyUserId: user.id };
}
