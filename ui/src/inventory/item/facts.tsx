/** All values of a title, holdings or an item, by the sections of its form. Empty fields are left out. */

import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ListPath } from "../../api/inventory.ts";
import { CHOICE_LISTS } from "../../api/inventory-lists.ts";
import { valueAt } from "../../settings/draft.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import { hasValues } from "../editing/finished.ts";
import { languageName } from "../editing/languages.ts";
import type { ChoiceSource, FieldSpec, FormSection, LinePartSpec, RecordJson } from "../editing/spec.ts";
import { labelOf, useRecordWords } from "../words/records.tsx";

interface Props {
  record: RecordJson;
  sections: readonly FormSection[];
}

export function RecordFacts({ record, sections }: Props) {
  const words = useRecordWords();
  const said = sections
    .map((section) => ({
      ...section,
      // Links to other titles are shown elsewhere on the page.
      fields: section.fields.filter((spec) => spec.is !== "titles" && hasValues(record, [spec])),
    }))
    .filter(({ fields }) => fields.length > 0);
  const nameOf = useNameLookup(said.flatMap(({ fields }) => fields));
  return (
    <div className="facts-of-record">
      {said.map(({ name, fields }) => (
        <section key={name} aria-label={words.sections[name]}>
          <h3>{words.sections[name]}</h3>
          <dl>
            {fields.map((spec) => (
              <div key={spec.at}>
                <dt>{labelOf(words, spec.at)}</dt>
                <FactValue spec={spec} said={valueAt(record, spec.at)} nameOf={nameOf} />
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

type NameLookup = (from: ChoiceSource, id: string) => string;

/** A function that gives the names of chosen ids in these fields. */
function useNameLookup(specs: readonly FieldSpec[]): NameLookup {
  const words = useWords();
  const { values } = useRecordWords();
  const paths = [...new Set(specs.flatMap(choicePaths))];
  const lists = useQueries({ queries: paths.map((path) => CHOICE_LISTS[path]) });
  return (from, id) => {
    if (typeof from !== "string") return values[id] ?? words.statuses[id] ?? id;
    const list = lists[paths.indexOf(from)];
    // While the list is being loaded, nothing is shown instead of an id.
    return list?.data?.find((one) => one.id === id)?.name ?? (list?.isPending ? "\u00a0" : id);
  };
}

function choicePaths(spec: FieldSpec | LinePartSpec): ListPath[] {
  if (spec.is === "list") return spec.parts.flatMap(choicePaths);
  return (spec.is === "choice" || spec.is === "many") && typeof spec.from === "string" ? [spec.from] : [];
}

function FactValue({ spec, said, nameOf }: { spec: FieldSpec; said: unknown; nameOf: NameLookup }) {
  const words = useRecordWords();
  const formats = useFormats();
  if (Array.isArray(said)) {
    return said.map((one: unknown, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and keep nothing of their own
      <dd key={index}>
        {spec.is === "list" ? (
          <FactLine parts={spec.parts} list={spec.at} line={one as RecordJson} nameOf={nameOf} />
        ) : spec.is === "many" ? (
          nameOf(spec.from, String(one))
        ) : spec.is === "languages" ? (
          languageName(String(one), formats.locale)
        ) : (
          String(one)
        )}
      </dd>
    ));
  }
  if (spec.is === "yes") return <dd>{words.yes}</dd>;
  if (spec.is === "choice") {
    const id = spec.isObject ? (said as { id?: string }).id : String(said);
    return <dd>{nameOf(spec.from, id ?? "")}</dd>;
  }
  const text = String(said);
  return <dd>{spec.is === "day" && /^\d{4}-\d{2}-\d{2}/.test(text) ? formats.date(text) : text}</dd>;
}

interface FactLineProps {
  parts: readonly LinePartSpec[];
  list: string;
  line: RecordJson;
  nameOf: NameLookup;
}

/** The text of a line, then its type. Circulation notes also have a date and an author. */
function FactLine({ parts, list, line, nameOf }: FactLineProps) {
  const words = useRecordWords();
  const formats = useFormats();
  const texts: ReactNode[] = parts.flatMap(({ is, at }) => {
    const text = is === "text" && typeof line[at] === "string" ? line[at] : "";
    return text === "" ? [] : [at === "uri" ? <WebAddress key={at} uri={text} /> : text];
  });
  const kinds = parts.flatMap((part) => {
    const said = line[part.at];
    if (part.is === "choice") return typeof said === "string" ? [nameOf(part.from, said)] : [];
    return part.is !== "text" && said === true ? [labelOf(words, part.at, list)] : [];
  });
  const personal = (line.source as { personal?: { firstName?: string; lastName?: string } } | undefined)?.personal;
  const when = typeof line.date === "string" ? [formats.moment(line.date)] : [];
  const who = [personal?.firstName, personal?.lastName].filter(Boolean).join(" ");
  const more = [...kinds, ...when, who].filter(Boolean).join(", ");
  return (
    <>
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <span key={index}>
          {index > 0 && " · "}
          {text}
        </span>
      ))}{" "}
      {more && <small>({more})</small>}
    </>
  );
}

/** Only addresses of web pages become links, since others could run a script. */
function WebAddress({ uri }: { uri: string }) {
  if (!/^https?:\/\//i.test(uri)) return <>{uri}</>;
  return (
    <a href={uri} target="_blank" rel="noreferrer">
      {uri}
    </a>
  );
}
