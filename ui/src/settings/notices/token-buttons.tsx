/** Buttons that insert a token into a field of the form at the cursor. */

import { Button } from "../../parts/button.tsx";
import type { SettingRecord } from "../kind.ts";
import { useSettingsWords } from "../words/index.tsx";
import type { TokenGroup } from "./tokens.ts";

interface Props {
  field: "body" | "template";
  groups: readonly TokenGroup[];
  loop?: string | undefined;
  draft: SettingRecord;
  onChange: (draft: SettingRecord) => void;
}

export function TokenButtons({ field, groups, loop, draft, onChange }: Props) {
  const words = useSettingsWords().template;
  const insert = (text: string) => {
    const area = document.querySelector<HTMLTextAreaElement>(`textarea[name=${field}]`);
    const said = String(draft[field] ?? "");
    const from = area?.selectionStart ?? said.length;
    const to = area?.selectionEnd ?? from;
    onChange({ ...draft, [field]: said.slice(0, from) + text + said.slice(to) });
    // Puts the cursor behind the inserted text, once it is rendered.
    requestAnimationFrame(() => {
      area?.focus();
      area?.setSelectionRange(from + text.length, from + text.length);
    });
  };
  return (
    <>
      {loop && (
        <div className="tokens">
          <Button kind="quiet" onPress={() => insert(`{{#${loop}}}\n\n{{/${loop}}}`)}>
            {words.loop}
          </Button>
        </div>
      )}
      {groups.map(({ group, tokens }) => (
        <details key={group} open={group !== "user" && group !== "requester" && group !== "item"}>
          <summary>{words.groups[group]}</summary>
          <div className="tokens">
            {tokens.map((token) => (
              <Button key={token} kind="quiet" onPress={() => insert(`{{${token}}}`)}>
                {token}
              </Button>
            ))}
          </div>
        </details>
      ))}
    </>
  );
}
