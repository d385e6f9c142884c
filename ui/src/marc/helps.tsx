/** Choices that fill in fields of a new record: the location of holdings, and the number of an authority. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api/http.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { changeRow } from "./moves.ts";
import type { Draft } from "./record.ts";
import { joinSubfields, splitSubfields } from "./subfields.ts";
import { useMarcWords } from "./words/index.tsx";

interface Props {
  draft: Draft;
  onChange: (draft: Draft) => void;
}

interface Location {
  id: string;
  name: string;
  code: string;
}

/** Field 852 names a location by its code in `$b`. */
export function LocationChoice({ draft, onChange }: Props) {
  const own = useMarcWords();
  const locations = useQuery({
    queryKey: ["marc-locations"],
    queryFn: async () => {
      const query = { query: "cql.allRecords=1 sortBy name", limit: 2000 };
      return (await ask<{ locations: Location[] }>("/locations", { query })).locations;
    },
  });
  const row = draft.rows.find(({ tag }) => tag === "852");
  const subfields = row ? splitSubfields(row.text).subfields : [];
  const code = subfields.find((subfield) => subfield.code === "b")?.value;
  if (row === undefined) return null;
  const write = (id: string) => {
    const value = locations.data?.find((one) => one.id === id)?.code ?? "";
    const others = subfields.filter((subfield) => subfield.code !== "b");
    onChange(changeRow(draft, row.key, { text: joinSubfields([{ code: "b", value }, ...others]) }));
  };
  return (
    <Choice
      className="inline"
      label={own.holdingsAt}
      options={locations.data ?? []}
      value={locations.data?.find((one) => one.code === code)?.id ?? null}
      onChange={write}
      autoFocus
    />
  );
}

interface SourceFile {
  id: string;
  name: string;
  hridManagement?: { startNumber?: number };
}

/** An authority of a local source file gets the file's next number. */
export function NumberChoice({ draft, onChange }: Props) {
  const own = useMarcWords();
  const may = useMay();
  const [file, setFile] = useState<string>();
  const files = useQuery({
    queryKey: ["authority-source-files"],
    enabled: may("inventory-storage.authority-source-files.collection.get"),
    queryFn: async () => {
      const query = { query: "cql.allRecords=1 sortby name", limit: 2000 };
      return (await ask<{ authoritySourceFiles: SourceFile[] }>("/authority-source-files", { query }))
        .authoritySourceFiles;
    },
  });
  const row = draft.rows.find(({ tag }) => tag === "001");
  const taking = useMutation({
    mutationFn: () => ask<{ hrid: string }>(`/authority-source-files/${file}/hrid`, { method: "POST" }),
    onSuccess: ({ hrid }) => row && onChange(changeRow(draft, row.key, { text: hrid })),
  });
  const numbered = (files.data ?? []).filter(({ hridManagement }) => hridManagement?.startNumber !== undefined);
  if (numbered.length === 0 || !may("inventory-storage.authority-source-files.hrid.post")) return null;
  return (
    <>
      <Choice
        className="inline"
        label={own.file.label}
        options={numbered}
        value={file ?? null}
        onChange={setFile}
        placeholder={own.file.none}
      />
      {file && (
        <Button onPress={() => taking.mutate()} isDisabled={taking.isPending}>
          {own.file.next}
        </Button>
      )}
      {taking.error && <ErrorMessage error={taking.error} />}
    </>
  );
}
