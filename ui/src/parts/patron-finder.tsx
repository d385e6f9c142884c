/**
 * A form field that finds a patron by barcode or name. The Enter key of a scanner selects the patron and does not send
 * the form.
 */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { findPatrons } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { useWords } from "../words/index.tsx";
import { Choice } from "./choice.tsx";
import { Field } from "./field.tsx";
import { patronName } from "./portrait.tsx";
import { SEARCHES } from "./typed-text.ts";

interface Props {
  label: string;
  onChange: (patron: User | undefined) => void;
}

export function PatronFinder({ label, onChange }: Props) {
  const words = useWords();
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const [picked, pick] = useState<string>();
  const people = useQuery({
    queryKey: ["find-patron", text],
    enabled: text.trim().length > 1,
    queryFn: () => findPatrons(text.trim()),
  });
  const found = people.data?.users ?? [];
  const total = people.data?.total ?? 0;
  const patron = found.find(({ id }) => id === picked) ?? (found.length === 1 ? found[0] : undefined);
  useEffect(() => onChange(patron), [patron, onChange]);
  return (
    <>
      <Field
        {...SEARCHES}
        label={label}
        help={found.length === 1 && patron ? patronName(patron) : words.patron.help}
        {...(people.isSuccess && found.length === 0 && { error: words.patron.unknownBarcode(text) })}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          input.current?.select();
        }}
        input={input}
        isRequired
        autoFocus
      />
      {found.length > 1 && (
        <Choice
          {...(found.length < total && { help: words.patron.firstOnly(found.length, total) })}
          label={words.patron.several(total, text)}
          options={found.map((user) => ({ id: user.id, name: `${patronName(user)}, ${user.barcode ?? ""}` }))}
          value={picked ?? null}
          onChange={pick}
          isRequired
        />
      )}
    </>
  );
}
