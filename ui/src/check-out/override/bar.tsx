/** Above every page while something is overridden for the visit: what, for whom and why, and the way to end it. */

import { Button } from "../../parts/button.tsx";
import { nameOf } from "../../parts/portrait.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMember } from "../../shell/session.ts";
import { overrideVisit, visit } from "../session.ts";
import { useOverrideWords } from "./words/index.tsx";
import "./override.css";

export default function OverrideBar() {
  const { user } = useMember();
  const { override, patron } = visit.use();
  return override && patron && override.userId === user.id ? <Bar /> : null;
}

function Bar() {
  const own = useOverrideWords();
  const { override, patron, sponsor } = visit.use();
  if (override === undefined || patron === undefined) return null;
  const blocks = override.blocks.map((block) => own.short[block] ?? block).join(", ");
  return (
    <section className="override-bar banner warn" aria-label={own.title(nameOf(patron))}>
      <p>
        <strong>{own.bar(nameOf(sponsor ?? patron), blocks)}</strong> {own.reason(override.comment)}
      </p>
      <Button
        onPress={() => {
          overrideVisit(undefined);
          announce(own.ended);
        }}
      >
        {own.end}
      </Button>
    </section>
  );
}
