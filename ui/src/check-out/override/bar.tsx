/**
 * A bar above every page while blocks are overridden for a visit: which blocks, for whom and why, and a button to end
 * the override.
 */

import { Button } from "../../parts/button.tsx";
import { patronName } from "../../parts/portrait.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMember } from "../../shell/session.ts";
import { setVisitOverride, visit } from "../session.ts";
import { useOverrideWords } from "./words/index.tsx";
import "./override.css";

export default function OverrideBar() {
  const { user } = useMember();
  const { override, patron } = visit.use();
  return override && patron && override.userId === user.id ? <ActiveOverrideBar /> : null;
}

function ActiveOverrideBar() {
  const own = useOverrideWords();
  const { override, patron, sponsor } = visit.use();
  if (override === undefined || patron === undefined) return null;
  const blocks = override.blocks.map((block) => own.short[block] ?? block).join(", ");
  return (
    <section className="override-bar banner warn" aria-label={own.title(patronName(patron))}>
      <p>
        <strong>{own.bar(patronName(sponsor ?? patron), blocks)}</strong> {own.reason(override.comment)}
      </p>
      <Button
        onPress={() => {
          setVisitOverride(undefined);
          announce(own.ended);
        }}
      >
        {own.end}
      </Button>
    </section>
  );
}
