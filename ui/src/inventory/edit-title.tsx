/** A title as cataloguers at the desk change it: its name, who made it, numbers, when and where, languages, who sees it. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { contributorNameTypes, identifierTypes, type Title, title } from "../api/inventory.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { Several } from "../parts/several.tsx";
import { Tick } from "../parts/tick.tsx";
import { useWords } from "../words/index.tsx";

interface Editing {
  draft: Title;
  change: (part: Partial<Title>) => void;
}

export function EditTitle({ record }: { record: Title }) {
  const words = useWords();
  return (
    <Opens>
      <Button>{words.editing.title}</Button>
      <EditDialog record={record} />
    </Opens>
  );
}

function EditDialog({ record }: { record: Title }) {
  const words = useWords();
  const client = useQueryClient();
  const { draft, change, save } = useDraft(record);
  const path = `/inventory/instances/${record.id}`;
  return (
    <FormDialog
      title={words.editing.title}
      submit={words.save}
      onSubmit={async () => {
        await save(
          (body) => ask(path, { method: "PUT", body: withoutBlanks(body) }),
          () => ask<Title>(path),
        );
        await Promise.all([
          client.invalidateQueries({ queryKey: title(record.id).queryKey }),
          client.invalidateQueries({ queryKey: ["titles"] }),
        ]);
      }}
    >
      {record.source === "MARC" ? (
        <p className="banner note">{words.editing.fromMarc}</p>
      ) : (
        <Description draft={draft} change={change} />
      )}
      <Tick value={draft.discoverySuppress} onChange={(discoverySuppress) => change({ discoverySuppress })}>
        {words.editing.fields.discoverySuppress}
      </Tick>
      <Tick value={draft.staffSuppress} onChange={(staffSuppress) => change({ staffSuppress })}>
        {words.editing.fields.staffSuppress}
      </Tick>
    </FormDialog>
  );
}

function Description({ draft, change }: Editing) {
  const words = useWords();
  const says = words.editing;
  return (
    <>
      <Field
        label={says.fields.title}
        value={draft.title}
        onChange={(title) => change({ title })}
        lines={2}
        isRequired
        autoFocus
      />
      <Contributors draft={draft} change={change} />
      <Identifiers draft={draft} change={change} />
      <Several
        legend={says.fields.publication}
        add={says.addPublication}
        parts={draft.publication}
        blank={{}}
        onChange={(publication) => change({ publication })}
      >
        {(part, set) => (
          <>
            <Field label={says.publisher} value={part.publisher ?? ""} onChange={(publisher) => set({ publisher })} />
            <Field label={says.place} value={part.place ?? ""} onChange={(place) => set({ place })} />
            <Field
              label={says.date}
              value={part.dateOfPublication ?? ""}
              onChange={(dateOfPublication) => set({ dateOfPublication })}
            />
          </>
        )}
      </Several>
      <Field
        label={says.fields.languages}
        help={says.languagesHelp}
        value={(draft.languages ?? []).join(" ")}
        onChange={(text) => change({ languages: text.split(" ") })}
      />
    </>
  );
}

function Contributors({ draft, change }: Editing) {
  const says = useWords().editing;
  const kinds = useQuery(contributorNameTypes).data ?? [];
  const blank = { name: "", contributorNameTypeId: kinds[0]?.id ?? "", primary: false };
  return (
    <Several
      legend={says.fields.contributors}
      add={says.addContributor}
      parts={draft.contributors}
      blank={blank}
      onChange={(contributors) => change({ contributors })}
    >
      {(part, set) => (
        <>
          <Field label={says.name} value={part.name} onChange={(name) => set({ name })} />
          <Choice
            label={says.kind}
            options={kinds}
            value={part.contributorNameTypeId}
            onChange={(contributorNameTypeId) => set({ contributorNameTypeId })}
          />
        </>
      )}
    </Several>
  );
}

const ISBN = "ISBN";

function Identifiers({ draft, change }: Editing) {
  const says = useWords().editing;
  const kinds = useQuery(identifierTypes).data ?? [];
  const usual = kinds.find(({ name }) => name === ISBN) ?? kinds[0];
  return (
    <Several
      legend={says.fields.identifiers}
      add={says.addIdentifier}
      parts={draft.identifiers}
      blank={{ value: "", identifierTypeId: usual?.id ?? "" }}
      onChange={(identifiers) => change({ identifiers })}
    >
      {(part, set) => (
        <>
          <Field label={says.number} value={part.value} onChange={(value) => set({ value })} />
          <Choice
            label={says.kind}
            options={kinds}
            value={part.identifierTypeId}
            onChange={(identifierTypeId) => set({ identifierTypeId })}
          />
        </>
      )}
    </Several>
  );
}

/** Lines that were added and left empty are none. */
function withoutBlanks(record: Title): Title {
  const { contributors = [], identifiers = [], publication = [], languages = [] } = record;
  return {
    ...record,
    contributors: contributors.filter(({ name }) => name.trim() !== ""),
    identifiers: identifiers.filter(({ value }) => value.trim() !== ""),
    publication: publication.filter(
      ({ publisher, place, dateOfPublication }) => publisher || place || dateOfPublication,
    ),
    languages: languages.filter(Boolean),
  };
}
