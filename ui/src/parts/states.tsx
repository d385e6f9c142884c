/** What a page says while it has nothing to show, and when something went wrong. */

import type { ReactNode } from "react";
import { Refused, SignedOut, Unreachable } from "../api/http.ts";
import { inOneLine, refusalTexts } from "../refusals/texts.ts";
import type { Words } from "../words/en.ts";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { ChangedMeanwhile } from "./draft.ts";

/** Shown after a moment only: what comes at once does not flicker. */
export function Loading() {
  const words = useWords();
  return (
    <p className="loading" role="status">
      {words.loading}
    </p>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

/** An error in words: what happened, what the server said, and a way on. */
export function Trouble({ error, retry }: { error: unknown; retry?: () => void }) {
  const words = useWords();
  const said = reasons(error, words);
  return (
    <div className="banner bad" role="alert">
      {said.length === 1 ? <p>{said[0]}</p> : <Reasons said={said} />}
      {retry && (
        <Button kind="quiet" onPress={retry}>
          {words.again}
        </Button>
      )}
    </div>
  );
}

/** Each for itself: reasons behind each other in one line read as one. */
export function Reasons({ said }: { said: readonly string[] }) {
  return (
    <ul className="reasons">
      {said.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

export function inWords(error: unknown, words: Words): string {
  return inOneLine(reasons(error, words));
}

function reasons(error: unknown, words: Words): string[] {
  if (error instanceof Unreachable) return [words.errors.unreachable];
  if (error instanceof SignedOut) return [words.errors.signedOut];
  if (error instanceof ChangedMeanwhile) return [words.editing.changedMeanwhile(error.fields)];
  if (!(error instanceof Refused)) return [words.errors.page];
  if (error.status === 403) return [words.errors.forbidden];
  if (error.status === 501) return [words.errors.notBuilt];
  if (error.status >= 500 && error.status !== 503) return [words.errors.broken];
  return refusalTexts(error.refusals, words);
}
