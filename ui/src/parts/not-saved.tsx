/**
 * Why a form was not saved: somebody else has changed or deleted the record meanwhile, or the message of the server.
 */

import { Refused } from "../api/http.ts";
import { ChangedMeanwhile } from "./draft.ts";
import { ErrorMessage } from "./states.tsx";

interface Props {
  error: unknown;
  /** The message for the members that somebody else has changed. */
  changedMessage: (fields: readonly string[]) => string;
  deletedMessage: string;
}

export function NotSavedMessage({ error, changedMessage, deletedMessage }: Props) {
  const says =
    error instanceof ChangedMeanwhile
      ? changedMessage(error.fields)
      : error instanceof Refused && error.status === 404
        ? deletedMessage
        : undefined;
  if (says === undefined) return <ErrorMessage error={error} />;
  return (
    <p className="banner bad" role="alert">
      {says}
    </p>
  );
}
