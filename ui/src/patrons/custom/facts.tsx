/** What a patron's record says in custom fields. */

import type { User } from "../../api/records.ts";
import { useFormats } from "../../words/index.tsx";
import { useCustomFields } from "./section.tsx";
import { type CustomValue, shown } from "./values.ts";
import { useCustomWords } from "./words/index.tsx";
import "./custom.css";

export function CustomFacts({ user }: { user: User }) {
  const words = useCustomWords();
  const formats = useFormats();
  const fields = useCustomFields();
  const said = { yes: words.yes, no: words.no, day: (date: string) => formats.date(date) };
  const facts = fields.flatMap((field) => {
    const texts = shown(field, user.customFields?.[field.refId] as CustomValue, said);
    return texts.length === 0 ? [] : [{ field, texts }];
  });
  if (facts.length === 0) return null;
  return (
    <dl className="custom-facts" aria-label={words.title}>
      {facts.map(({ field, texts }) => (
        <div key={field.refId}>
          <dt>{field.name}</dt>
          {texts.map((text) => (
            <dd key={text}>{field.textField?.fieldFormat === "URL" ? <Web address={text} /> : text}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** Only what leads to a page of the web is a link, whatever the record says. */
function Web({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return address;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {address}
    </a>
  );
}
