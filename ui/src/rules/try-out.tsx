/**
 * Tries a check-out of an item to a patron: which line applies, which policies, which due date. The server stores
 * nothing.
 */

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { askWithHeaders } from "../api/http.ts";
import type { Loan } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { useServicePoint } from "../shell/session.ts";
import { type Formats, useFormats, useWords } from "../words/index.tsx";

export function TryOut({ unsaved }: { unsaved: boolean }) {
  const words = useWords();
  const formats = useFormats();
  const here = useServicePoint();
  const [userBarcode, setUser] = useState("");
  const [itemBarcode, setItem] = useState("");
  const trying = useMutation({
    mutationFn: async () => {
      const { body, headers } = await askWithHeaders<Loan>("/circulation/check-out-by-barcode", {
        method: "POST",
        body: { userBarcode, itemBarcode, servicePointId: here?.id },
        headers: { "x-octavo-dry-run": "true", "x-octavo-trace": "1" },
      });
      return { loan: body, why: JSON.parse(headers.get("x-octavo-why") ?? "[]") as string[] };
    },
  });
  return (
    <section className="patron" aria-label={words.rules.tryOut}>
      <h2>{words.rules.tryOut}</h2>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          trying.mutate();
        }}
      >
        <Field label={words.patron.barcode} value={userBarcode} onChange={setUser} isRequired />
        <Field label={words.checkOut.item} value={itemBarcode} onChange={setItem} isRequired />
        <Button type="submit" isDisabled={trying.isPending}>
          {words.rules.try}
        </Button>
      </Form>
      {unsaved && <p className="help">{words.rules.tryStored}</p>}
      {trying.error && <ErrorMessage error={trying.error} />}
      {trying.data && (
        <div role="status">
          <h3>{words.checkOut.due(formats.due(trying.data.loan.dueDate))}</h3>
          <ol className="reasons">
            {trying.data.why
              .filter((sentence) => !/^(Loan|The item was)/.test(sentence))
              .map((sentence) => (
                <li key={sentence}>{readableSentence(sentence, formats)}</li>
              ))}
          </ol>
        </div>
      )}
    </section>
  );
}

/** A sentence of the server without ids, and with dates in the library's format. */
function readableSentence(sentence: string, formats: Formats): string {
  return sentence
    .replace(/ \([0-9a-f-]{36}\)/g, "")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)/g, (instant) => formats.due(instant));
}
