/** A cash drawer, from the count when it is opened to the count when it is closed. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { AmountField, parseAmount } from "../parts/amount-field.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { patronName } from "../parts/portrait.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { UnsavedChangesPrompt } from "../parts/unsaved.tsx";
import { useMember } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { ClosedReport } from "./closed.tsx";
import { drawers, isCash, paymentsSince, setDrawer, sumByMethod, type Takings } from "./drawers.ts";
import { useDrawerWords } from "./words/index.tsx";

export function Drawer({ servicePoint }: { servicePoint: string }) {
  const words = useDrawerWords();
  const { opened, closed } = drawers.use()[servicePoint] ?? {};
  return (
    <section className="sheet" aria-label={words.title}>
      {opened ? <OpenDrawer servicePoint={servicePoint} opened={opened} /> : <OpenForm servicePoint={servicePoint} />}
      {!opened && closed && <ClosedReport closed={closed} />}
      <p className="help">{words.kept}</p>
    </section>
  );
}

function OpenForm({ servicePoint }: { servicePoint: string }) {
  const words = useDrawerWords().open;
  const by = patronName(useMember().user);
  const [said, say] = useState("");
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const float = parseAmount(said);
        if (float !== undefined) setDrawer(servicePoint, { opened: { at: new Date().toISOString(), by, float } });
      }}
    >
      <h2>{words.title}</h2>
      <AmountField label={words.float} value={said} onChange={say} />
      <Button kind="primary" type="submit" className="start">
        {words.submit}
      </Button>
      <UnsavedChangesPrompt isUnsaved={said !== ""} isOfServicePoint />
    </Form>
  );
}

interface Props {
  servicePoint: string;
  opened: { at: string; by: string; float: number };
}

function OpenDrawer({ servicePoint, opened }: Props) {
  const words = useDrawerWords();
  const formats = useFormats();
  const payments = useQuery({ ...paymentsSince(servicePoint, opened.at), refetchOnMount: "always" });
  if (payments.isPending) return <Loading />;
  if (payments.isLoadingError) return <ErrorMessage error={payments.error} retry={() => void payments.refetch()} />;
  const takings = sumByMethod(payments.data);
  return (
    <>
      <h2>{words.since(formats.moment(opened.at), opened.by)}</h2>
      <TakingsTable takings={takings} />
      <CloseForm
        takings={takings}
        onClose={async (said) => {
          // Loads the payments again, since somebody may have paid while the money was counted.
          const { data } = await payments.refetch({ throwOnError: true });
          const now = sumByMethod(data ?? []);
          const inDrawer = Object.entries(now).filter(([method]) => said.isIn(method));
          const { isIn: _, ...counted } = said;
          const closed = { opened, at: new Date().toISOString(), payments: Object.fromEntries(inDrawer), ...counted };
          setDrawer(servicePoint, { closed });
        }}
      />
    </>
  );
}

function TakingsTable({ takings }: { takings: Takings }) {
  const words = useDrawerWords();
  const formats = useFormats();
  const all = Object.entries(takings);
  if (all.length === 0) return <p className="fact">{words.none}</p>;
  return (
    <table className="sums">
      <caption>{words.taken}</caption>
      <tbody>
        {all.map(([method, sum]) => (
          <tr key={method}>
            <th scope="row">{method}</th>
            <td>{formats.money(sum)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DrawerCount {
  by: string;
  out: number;
  counted: number;
  remark: string;
  isIn: (method: string) => boolean;
}

function CloseForm({ takings, onClose }: { takings: Takings; onClose: (said: DrawerCount) => Promise<void> }) {
  const words = useDrawerWords();
  const by = patronName(useMember().user);
  const { decimal } = useFormats();
  const [counted, setCounted] = useState("");
  const [out, setOut] = useState(decimal(0));
  const [remark, setRemark] = useState("");
  const [chosen, choose] = useState<Record<string, boolean>>({});
  const [error, setError] = useState<unknown>();
  const isTyped = counted !== "" || remark !== "" || parseAmount(out) !== 0;
  const isIn = (method: string) => chosen[method] ?? isCash(method);
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const [is, away] = [parseAmount(counted), parseAmount(out)];
        if (is === undefined || away === undefined) return;
        void onClose({ by, counted: is, out: away, remark: remark.trim(), isIn }).catch(setError);
      }}
    >
      <h2>{words.close.title}</h2>
      {Object.keys(takings).length > 0 && (
        <fieldset className="checks">
          <legend>{words.methods}</legend>
          {Object.keys(takings).map((method) => (
            <CheckboxField
              key={method}
              value={isIn(method)}
              onChange={(on) => choose((before) => ({ ...before, [method]: on }))}
            >
              {method}
            </CheckboxField>
          ))}
        </fieldset>
      )}
      <div className="pair">
        <AmountField label={words.close.counted} value={counted} onChange={setCounted} />
        <AmountField label={words.close.out} value={out} onChange={setOut} />
      </div>
      <Field label={words.close.remark} value={remark} onChange={setRemark} />
      {error !== undefined && <ErrorMessage error={error} />}
      <Button kind="primary" type="submit" className="start">
        {words.close.submit}
      </Button>
      <UnsavedChangesPrompt isUnsaved={isTyped} isOfServicePoint />
    </Form>
  );
}
