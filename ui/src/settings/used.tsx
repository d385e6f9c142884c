/** Where the circulation rules name a policy, with the way there. */

import { Link } from "wouter";
import { useLines } from "./uses.ts";
import { useSettingsWords } from "./words/index.tsx";

export function Used({ id }: { id: string }) {
  const words = useSettingsWords();
  const all = useLines();
  if (all === undefined) return null;
  const lines = all.get(id) ?? [];
  if (lines.length === 0) return <p className="help">{words.notUsed}</p>;
  return (
    <p className="help">
      {words.usedIn(lines)} <Link href="/rules">{words.toRules}</Link>
    </p>
  );
}
