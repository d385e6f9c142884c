/** Sample barcodes of the demo library, for people who try it without a scanner or a card. */

import { useQuery } from "@tanstack/react-query";
import { tenants } from "../api/library.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import type { Words } from "../words/en.ts";
import { useWords } from "../words/index.tsx";
import { workplace } from "./session.ts";

/** The description and the sign-in of the library that `octavo serve --demo` creates; both are in the documentation. */
export const DEMO = { description: "Octavo's demo library", username: "diku_admin", password: "admin" };

/** Records of `data/demo` that `docs/demo-library.md` names. */
const SAMPLE_BARCODES = {
  cards: [
    ["27001000000445", "Freya Nielsen", "student"],
    ["27001000000312", "Noor Rahman", "late"],
    ["27001000000411", "Noah Williams", "ended"],
  ],
  toLend: [
    ["37001000000096", "Beloved", "book"],
    ["37001000000765", "Das Leben der Anderen", "film"],
    ["37001000000294", "The Chicago manual of style", "reference"],
  ],
  toReturn: [
    ["37001000000278", "Charlotte's web", "overdue"],
    ["37001000001185", "Pride and prejudice", "out"],
    ["37001000001201", "Pride and prejudice", "elsewhere"],
  ],
} as const satisfies Record<string, readonly (readonly [string, string, keyof Words["demo"]["is"]])[]>;

interface Props {
  what: keyof typeof SAMPLE_BARCODES;
  onScan: (barcode: string) => void;
}

/** Shows nothing in any other library. */
export function DemoBarcodes({ what, onScan }: Props) {
  const words = useWords();
  const { tenant } = workplace.use();
  const known = useQuery(tenants).data?.find(({ id }) => id === tenant);
  if (known?.description !== DEMO.description) return null;
  return (
    <section className="worth-trying" aria-label={words.demo.title}>
      <h2>{words.demo.title}</h2>
      <p className="help">{words.demo.help}</p>
      <ul>
        {SAMPLE_BARCODES[what].map(([barcode, name, is]) => (
          <li key={barcode}>
            <Button kind="quiet" onPress={() => onScan(barcode)}>
              <Code>{barcode}</Code>
              <span>
                {name} <small>{words.demo.is[is]}</small>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
