/** The values of custom fields on a patron's page. */

import type { User } from "../../api/records.ts";
import { useFormats } from "../../words/index.tsx";
import { useCustomFields } from "./section.tsx";
import { type CustomValue, valueTexts } from "./values.ts";
import { useCustomWords } from "./words/index.tsx";
import "./custom.css";

export function CustomFacts({ user }: { user: User }) {
  const words = useCustomWords();
  const formats = useFormats();
  const fields = useCustomFields();
  const said = { yes: words.yes, no: words.no, day: (date: string) => formats.date(date) };
  const facts = fields.flatMap((field) => {
    const texts = valueTexts(field, user.customFields?.[field.refId] as CustomValue, said);
    return texts.length === 0 ? [] : [{ field, texts }];
  });
  if (facts.length === 0) return null;
  return (
    <dl className="custom-facts" aria-label={words.title}>
      {facts.map(({ field, texts }) => (
        <div key={field.refId}>
          <dt>{field.name}</dt>
          {texts.map((text) => (
            <dd key={text}>{field.textField?.fieldFormat === "URL" ? <WebLink address={text} /> : text}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** Only addresses of web pages become links, since others could run a script. */
function WebLink({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return address;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {address}
    </a>
  );
}
