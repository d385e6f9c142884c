/** The lines of the circulation rules that name a policy, with a link to them. */

import { Link } from "wouter";
import { useRuleLines } from "./uses.ts";
import { useSettingsWords } from "./words/index.tsx";

export function UsedInRules({ id }: { id: string }) {
  const words = useSettingsWords();
  const all = useRuleLines();
  if (all === undefined) return null;
  const lines = all.get(id) ?? [];
  if (lines.length === 0) return <p className="help">{words.notUsed}</p>;
  return (
    <p className="help">
      {words.usedIn(lines)} <Link href="/rules">{words.toRules}</Link>
    </p>
  );
}
