/** The form that starts a run. User name and password are sent once and stored nowhere. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Offers } from "../api/octavo.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { announce } from "../scanning/signals.tsx";
import { workplace } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { currentRun, runOffers, startRun } from "./runs.ts";
import { useLabWords } from "./words/index.tsx";

export function StartRunButton({ isDisabled }: { isDisabled: boolean }) {
  const words = useLabWords().start;
  const known = useQuery(runOffers).data;
  if (known === undefined) return null;
  return (
    <DialogOpener>
      <Button isDisabled={isDisabled}>{words.do}</Button>
      <StartDialog known={known} />
    </DialogOpener>
  );
}

function StartDialog({ known }: { known: Offers }) {
  const words = useLabWords().start;
  const formats = useFormats();
  const client = useQueryClient();
  const [name, choose] = useState(known.experiments[0]?.name ?? "");
  const [here = "", ...others] = known.servers;
  const [server, setServer] = useState(here);
  const [tenant, setTenant] = useState(workplace.get().tenant ?? "");
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [seconds, setSeconds] = useState("");
  const [users, setUsers] = useState("");
  const experiment = known.experiments.find((one) => one.name === name);
  const tests = experiment?.tests ?? 0;
  const all = seconds === "" ? (experiment?.shortSeconds ?? 0) : tests * Number(seconds);
  const bounds = ({ least, most }: Offers["users"]) => words.between(formats.number(least), formats.number(most));
  return (
    <FormDialog
      title={words.title}
      submit={words.submit}
      onSubmit={async () => {
        const now = await startRun({
          experiment: name,
          server,
          tenant: tenant.trim(),
          username,
          password,
          ...(seconds !== "" && { seconds: Number(seconds) }),
          ...(users !== "" && { users: Number(users) }),
        });
        client.setQueryData(currentRun.queryKey, now);
        announce(words.begun(name));
      }}
    >
      <Choice
        label={words.experiment}
        help={experiment?.about}
        options={known.experiments.map((one) => ({ id: one.name, name: one.name }))}
        value={name}
        onChange={choose}
        isRequired
      />
      <Choice
        label={words.server}
        options={[{ id: here, name: words.thisServer }, ...others.map((url) => ({ id: url, name: url }))]}
        value={server}
        onChange={setServer}
        help={others.length === 0 ? words.noOthers : undefined}
        isRequired
      />
      {server === here && <p className="banner warn">{words.sharesMachine}</p>}
      <Field label={words.tenant} help={words.tenantHelp} value={tenant} onChange={setTenant} isRequired />
      <div className="pair">
        <Field
          label={words.seconds}
          help={`${words.asShort} ${bounds(known.seconds)}`}
          value={seconds}
          onChange={setSeconds}
          inputMode="numeric"
          pattern="[0-9]*"
        />
        <Field
          label={words.users}
          help={`${words.asItSays} ${bounds(known.users)}`}
          value={users}
          onChange={setUsers}
          inputMode="numeric"
          pattern="[0-9]*"
        />
      </div>
      <p className="help">{words.takes(formats.number(tests), formats.number(all))}</p>
      <div className="pair">
        <Field label={words.username} value={username} onChange={setUsername} autoComplete="off" isRequired />
        <Field
          label={words.password}
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="off"
          isRequired
        />
      </div>
      <p className="help">{words.credentialsHelp}</p>
    </FormDialog>
  );
}
