/** All that is recorded of a title, holdings or an item, by the sections of its form. What is empty is left out. */

import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { NamedPath } from "../../api/inventory.ts";
import { CHOICES } from "../../api/inventory-lists.ts";
import { at } from "../../settings/draft.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import { saysAnything } from "../editing/finished.ts";
import { languageName } from "../editing/languages.ts";
import type { Part, Section, Source, Spec, Stored } from "../editing/spec.ts";
import { labelOf, useRecordWords } from "../words/records.tsx";

interface Props {
  record: Stored;
  sections: readonly Section[];
}

export function Facts({ record, sections }: Props) {
  const words = useRecordWords();
  const said = sections
    .map((section) => ({
      ...section,
      // Links to other titles have a place of their own on the page.
      fields: section.fields.filter((spec) => spec.is !== "titles" && saysAnything(record, [spec])),
    }))
    .filter(({ fields }) => fields.length > 0);
  const nameOf = useNames(said.flatMap(({ fields }) => fields));
  return (
    <div className="facts-of-record">
      {said.map(({ name, fields }) => (
        <section key={name} aria-label={words.sections[name]}>
          <h3>{words.sections[name]}</h3>
          <dl>
            {fields.map((spec) => (
              <div key={spec.at}>
                <dt>{labelOf(words, spec.at)}</dt>
                <Said spec={spec} said={at(record, spec.at)} nameOf={nameOf} />
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

type NameOf = (from: Source, id: string) => string;

/** The names of what these fields have chosen. */
function useNames(specs: readonly Spec[]): NameOf {
  const words = useWords();
  const { values } = useRecordWords();
  const paths = [...new Set(specs.flatMap(sourcesOf))];
  const lists = useQueries({ queries: paths.map((path) => CHOICES[path]) });
  return (from, id) => {
    if (typeof from !== "string") return values[id] ?? words.statuses[id] ?? id;
    const list = lists[paths.indexOf(from)];
    // Ids without names are not shown in a hurry.
    return list?.data?.find((one) => one.id === id)?.name ?? (list?.isPending ? "\u00a0" : id);
  };
}

function sourcesOf(spec: Spec | Part): NamedPath[] {
  if (spec.is === "list") return spec.parts.flatMap(sourcesOf);
  return (spec.is === "choice" || spec.is === "many") && typeof spec.from === "string" ? [spec.from] : [];
}

function Said({ spec, said, nameOf }: { spec: Spec; said: unknown; nameOf: NameOf }) {
  const words = useRecordWords();
  const formats = useFormats();
  if (Array.isArray(said)) {
    return said.map((one: unknown, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and keep nothing of their own
      <dd key={index}>
        {spec.is === "list" ? (
          <Line parts={spec.parts} list={spec.at} line={one as Stored} nameOf={nameOf} />
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

interface LineProps {
  parts: readonly Part[];
  list: string;
  line: Stored;
  nameOf: NameOf;
}

/** What somebody wrote, then what it is. Circulation notes also say when and by whom. */
function Line({ parts, list, line, nameOf }: LineProps) {
  const words = useRecordWords();
  const formats = useFormats();
  const texts: ReactNode[] = parts.flatMap(({ is, at }) => {
    const text = is === "text" && typeof line[at] === "string" ? line[at] : "";
    return text === "" ? [] : [at === "uri" ? <Address key={at} uri={text} /> : text];
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

/** Only addresses of the web can be followed: others might run something. */
function Address({ uri }: { uri: string }) {
  if (!/^https?:\/\//i.test(uri)) return <>{uri}</>;
  return (
    <a href={uri} target="_blank" rel="noreferrer">
      {uri}
    </a>
  );
}
