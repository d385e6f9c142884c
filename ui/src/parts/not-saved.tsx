/** Why a form was not saved: somebody else has changed the record meanwhile, or it is gone, or what the server says. */

import { Refused } from "../api/http.ts";
import { ChangedMeanwhile } from "./draft.ts";
import { Trouble } from "./states.tsx";

interface Props {
  error: unknown;
  /** Says which members somebody else has changed. */
  changed: (fields: readonly string[]) => string;
  gone: string;
}

export function NotSaved({ error, changed, gone }: Props) {
  const says =
    error instanceof ChangedMeanwhile
      ? changed(error.fields)
      : error instanceof Refused && error.status === 404
        ? gone
        : undefined;
  if (says === undefined) return <Trouble error={error} />;
  return (
    <p className="banner bad" role="alert">
      {says}
    </p>
  );
}
