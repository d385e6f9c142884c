/** Beside the form of a notice template: tokens to insert at the cursor, and a preview with a record of the library. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { noticePreview, previewSubjects } from "../../api/settings-notices.ts";
import { fillTemplate } from "../../check-in/template.ts";
import { Choice } from "../../parts/choice.tsx";
import { ErrorMessage, Loading } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import type { SettingRecord } from "../kind.ts";
import { CATEGORIES, type Category, templates } from "../kinds/templates.ts";
import { problemsOf } from "../problems.ts";
import { useSettingsWords } from "../words/index.tsx";
import { TokenButtons } from "./token-buttons.tsx";
import { LOOPS, tokensOf } from "./tokens.ts";

interface Props {
  draft: SettingRecord;
  onChange: (draft: SettingRecord) => void;
}

const PAUSE_MS = 400;

export function BesideTemplate({ draft, onChange }: Props) {
  const may = useMay();
  return (
    <div className="whole">
      {may("notice-ledger.preview.post") && <NoticePreview draft={draft} />}
      <TokenSection draft={draft} onChange={onChange} />
    </div>
  );
}

const categoryOf = ({ category }: SettingRecord): Category => CATEGORIES.find((one) => one === category) ?? "Loan";

function TokenSection({ draft, onChange }: Props) {
  const words = useSettingsWords().template;
  const category = categoryOf(draft);
  return (
    <section className="sheet" aria-label={words.tokens}>
      <h2>{words.tokens}</h2>
      <p className="help">{words.tokensHelp}</p>
      <TokenButtons field="body" groups={tokensOf(category)} loop={LOOPS[category]} draft={draft} onChange={onChange} />
    </section>
  );
}

function NoticePreview({ draft }: { draft: SettingRecord }) {
  const words = useSettingsWords();
  const says = words.template;
  const category = categoryOf(draft);
  const offered = useQuery(previewSubjects(category));
  const [chosen, choose] = useState<string>();
  const subject = offered.data?.find(({ id }) => id === chosen) ?? offered.data?.[0];
  const notice = useDebounced({ header: String(draft.header ?? ""), body: String(draft.body ?? "") });
  const shown = useQuery({ ...noticePreview(category, subject?.id ?? "", notice), enabled: subject !== undefined });
  const unreadable = shown.error ? problemsOf(shown.error, templates, [], draft, words) : undefined;
  const said = unreadable ? [...unreadable.fields.values(), ...unreadable.rest] : [];
  return (
    <section className="sheet" aria-label={says.preview}>
      <h2>{says.preview}</h2>
      {offered.isPending && <Loading />}
      {offered.error && <ErrorMessage error={offered.error} retry={() => void offered.refetch()} />}
      {offered.data?.length === 0 && <p className="help">{says.nothingToShow}</p>}
      {subject && <Choice label={says.previewOn} options={offered.data ?? []} value={subject.id} onChange={choose} />}
      {said.map((problem) => (
        <p className="banner bad" role="alert" key={problem}>
          {problem}
        </p>
      ))}
      {shown.error && said.length === 0 && <ErrorMessage error={shown.error} />}
      {shown.data && !shown.error && (
        <>
          <article className="notice" aria-label={shown.data.header}>
            <p className="help">{shown.data.to ? says.to(shown.data.to) : says.noAddress}</p>
            <h3>{shown.data.header}</h3>
            <div ref={(place) => place?.replaceChildren(fillTemplate(shown.data.body, {}))} />
          </article>
          <div role="status" className="whole">
            {shown.data.unknownTokens.length > 0 && (
              <p className="banner warn">{says.unknownTokens(shown.data.unknownTokens)}</p>
            )}
            {shown.data.emptyTokens.length > 0 && <p className="help">{says.emptyTokens(shown.data.emptyTokens)}</p>}
          </div>
        </>
      )}
    </section>
  );
}

/** The value, once typing pauses. */
function useDebounced<T extends object>(value: T): T {
  const [later, setLater] = useState(value);
  const said = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(JSON.parse(said) as T), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return later;
}
