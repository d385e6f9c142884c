/** Single sign-on: signing in at the log-in service of the library instead of with a password of Octavo. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { SIGNED_ON, signOnAddress, signOnOffer, signOnOutcome, withoutOutcome } from "../api/sign-on.ts";
import { Button } from "../parts/button.tsx";
import { useDebounced } from "../parts/settled.ts";
import { useWords } from "../words/index.tsx";
import { workplace } from "./session.ts";

/** The button to the library's log-in service. In a new tab, unsaved work on this page is kept. */
export function SingleSignOnButton({ tenant, inNewTab = false }: { tenant: string; inNewTab?: boolean }) {
  const words = useWords();
  const { data } = useQuery(signOnOffer(useDebounced(tenant)));
  if (!data?.active) return null;
  const go = () => {
    workplace.set((now) => ({ ...now, tenant }));
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

/** Why single sign-on has failed, after the log-in service has returned to the desk. */
export function SignOnRefusal() {
  const { elsewhereRefused, elsewhereFailed, noCookie } = useWords().signIn;
  const [why] = useState(() => signOnOutcome(location.href));
  useEffect(() => {
    if (why === null) return;
    // Reloading the page does not show the message again.
    history.replaceState(history.state, "", withoutOutcome(location.href));
  }, [why]);
  if (why === null) return null;
  const known: Record<string, string> = { ...elsewhereRefused, [SIGNED_ON]: noCookie };
  return (
    <p className="banner bad" role="alert">
      {Object.hasOwn(known, why) ? known[why] : elsewhereFailed}
    </p>
  );
}
