/** The titles found, each with its call numbers and the number of available items. */

import { Link } from "wouter";
import type { Title } from "../api/inventory.ts";
import { Code } from "../parts/code.tsx";
import { useWords } from "../words/index.tsx";
import { callNumbers, countAvailable, imprint } from "./imprint.ts";

/** At most so many call numbers of a title are shown. */
const SHOWN_CALL_NUMBERS = 2;

export function Results({ titles }: { titles: readonly Title[] }) {
  return (
    <ul className="rows titles">
      {titles.map((title) => (
        <TitleRow key={title.id} title={title} />
      ))}
    </ul>
  );
}

function TitleRow({ title }: { title: Title }) {
  const { fields } = useWords().editing;
  const numbers = callNumbers(title);
  const others = numbers.length - SHOWN_CALL_NUMBERS;
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
              {numbers.slice(0, SHOWN_CALL_NUMBERS).join(" · ")}
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
  const there = countAvailable(title);
  const all = title.items?.length ?? 0;
  return (
    <p className={there > 0 ? "due quiet good" : "due quiet"}>
      {all === 0 ? words.inventory.noCopies : words.inventory.there(there, all)}
    </p>
  );
}
