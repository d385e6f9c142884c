/** Messages of a page while it loads, has nothing to show, or has failed. */

import type { ReactNode } from "react";
import { Refused, SignedOut, Unreachable } from "../api/http.ts";
import { joinReasons, refusalTexts } from "../refusals/texts.ts";
import type { Words } from "../words/en.ts";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { ChangedMeanwhile } from "./draft.ts";

/** Appears after a short delay, so that fast answers do not flicker. */
export function Loading() {
  const words = useWords();
  return (
    <p className="loading" role="status">
      {words.loading}
    </p>
  );
}

export function EmptyMessage({ children }: { children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

/** The message of an error, with a button to try again. */
export function ErrorMessage({ error, retry }: { error: unknown; retry?: () => void }) {
  const words = useWords();
  const said = errorReasons(error, words);
  return (
    <div className="banner bad" role="alert">
      {said.length === 1 ? <p>{said[0]}</p> : <ReasonList said={said} />}
      {retry && (
        <Button kind="quiet" onPress={retry}>
          {words.again}
        </Button>
      )}
    </div>
  );
}

interface Reloaded {
  isRefetchError: boolean;
  error: unknown;
  refetch: () => Promise<unknown>;
}

/** The message that a list could not be loaded again. The list stays below it, with what is typed in a dialog of it. */
export function ReloadError({ asked }: { asked: Reloaded }) {
  return asked.isRefetchError && <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
}

/** Shows each reason on a line of its own, since several in one line would read as one. */
export function ReasonList({ said }: { said: readonly string[] }) {
  return (
    <ul className="reasons">
      {said.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

export function errorText(error: unknown, words: Words): string {
  return joinReasons(errorReasons(error, words));
}

function errorReasons(error: unknown, words: Words): string[] {
  if (error instanceof Unreachable) return [words.errors.unreachable];
  if (error instanceof SignedOut) return [words.errors.signedOut];
  if (error instanceof ChangedMeanwhile) return [words.editing.changedMeanwhile(error.fields)];
  if (!(error instanceof Refused)) return [words.errors.page];
  if (error.status === 403) return [words.errors.forbidden];
  if (error.status === 501) return [words.errors.notBuilt];
  if (error.status >= 500 && error.status !== 503) return [words.errors.broken];
  return refusalTexts(error.refusals, words);
}
