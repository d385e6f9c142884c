/** Signing in at the library's own log-in service instead of with a password that is kept here. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { DONE, outcomeOf, signOnAddress, signOnOffer, withoutOutcome } from "../api/sign-on.ts";
import { Button } from "../parts/button.tsx";
import { useSettled } from "../parts/settled.ts";
import { useWords } from "../words/index.tsx";
import { place } from "./session.ts";

/** The way to the log-in service of a library that has one. What is at work on this page stays if the way begins in a new tab. */
export function Elsewhere({ tenant, inNewTab = false }: { tenant: string; inNewTab?: boolean }) {
  const words = useWords();
  const { data } = useQuery(signOnOffer(useSettled(tenant)));
  if (!data?.active) return null;
  const go = () => {
    place.set((now) => ({ ...now, tenant }));
    if (inNewTab) window.open(signOnAddress(tenant, "/desk"), "_blank", "noopener");
    else location.assign(signOnAddress(tenant, location.pathname + location.search));
  };
  return (
    <div className="elsewhere">
      <Button onPress={go}>{data.buttonText || words.signIn.elsewhere}</Button>
      {inNewTab && <p className="help">{words.signIn.elsewhereInNewTab}</p>}
    </div>
  );
}

/** Why somebody who came back from there was not let in. */
export function NotLetIn() {
  const { elsewhereRefused, elsewhereFailed, noCookie } = useWords().signIn;
  const [why] = useState(() => outcomeOf(location.href));
  useEffect(() => {
    if (why === null) return;
    // Whoever loads the page again is not told again.
    history.replaceState(history.state, "", withoutOutcome(location.href));
  }, [why]);
  if (why === null) return null;
  const known: Record<string, string> = { ...elsewhereRefused, [DONE]: noCookie };
  return (
    <p className="banner bad" role="alert">
      {Object.hasOwn(known, why) ? known[why] : elsewhereFailed}
    </p>
  );
}
