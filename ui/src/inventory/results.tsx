/** Titles that were found, each with where it stands and how many of its items are there. */

import { Link } from "wouter";
import type { Title } from "../api/inventory.ts";
import { Code } from "../parts/code.tsx";
import { useWords } from "../words/index.tsx";
import { available, callNumbers, imprint } from "./imprint.ts";

/** So many call numbers of a title are shown. */
const FEW = 2;

export function Results({ titles }: { titles: readonly Title[] }) {
  return (
    <ul className="rows titles">
      {titles.map((title) => (
        <Row key={title.id} title={title} />
      ))}
    </ul>
  );
}

function Row({ title }: { title: Title }) {
  const { fields } = useWords().editing;
  const numbers = callNumbers(title);
  const others = numbers.length - FEW;
  return (
    <li className="row">
      <div className="what">
        <Link href={`/inventory/${title.id}`}>{title.title}</Link>
        <small>
          <bdi>{imprint(title)}</bdi>
        </small>
        <small>
          {numbers.length > 0 && (
            <Code>
              {numbers.slice(0, FEW).join(" · ")}
              {others > 0 && ` +${others}`}
            </Code>
          )}
          {title.staffSuppress && <span className="mark-of">{fields.staffSuppress}</span>}
          {title.discoverySuppress && <span className="mark-of">{fields.discoverySuppress}</span>}
        </small>
      </div>
      <Availability title={title} />
    </li>
  );
}

function Availability({ title }: { title: Title }) {
  const words = useWords();
  const there = available(title);
  const all = title.items?.length ?? 0;
  return (
    <p className={there > 0 ? "due quiet good" : "due quiet"}>
      {all === 0 ? words.inventory.noCopies : words.inventory.there(there, all)}
    </p>
  );
}
