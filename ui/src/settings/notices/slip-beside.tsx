/** Beside the form of a staff slip: tokens, and a preview with sample data. */

import { fillTemplate } from "../../check-in/template.ts";
import type { SettingRecord } from "../kind.ts";
import { useSettingsWords } from "../words/index.tsx";
import { TokenButtons } from "./token-buttons.tsx";
import { SLIP_TOKENS } from "./tokens.ts";

export function BesideSlip({ draft, onChange }: { draft: SettingRecord; onChange: (draft: SettingRecord) => void }) {
  const settings = useSettingsWords();
  const template = String(draft.template ?? "");
  const own = fillTemplate(template, settings.slip.sample);
  const isEmpty = !own.textContent?.trim();
  return (
    <div className="whole">
      <section className="sheet" aria-label={settings.template.preview}>
        <h2>{settings.template.preview}</h2>
        {isEmpty ? (
          <p className="help">{settings.slip.empty}</p>
        ) : (
          <article className="notice of-slip" ref={(place) => place?.replaceChildren(own)} />
        )}
      </section>
      <section className="sheet" aria-label={settings.template.tokens}>
        <h2>{settings.template.tokens}</h2>
        <p className="help">{settings.template.tokensHelp}</p>
        <TokenButtons field="template" groups={SLIP_TOKENS} draft={draft} onChange={onChange} />
      </section>
    </div>
  );
}
