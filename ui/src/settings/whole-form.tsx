/** The form of settings that are stored as a whole: who may not change them reads them, and it asks before changes are lost. */

import type { ReactNode } from "react";
import { Form } from "react-aria-components/Form";
import { Refused } from "../api/http.ts";
import { Button } from "../parts/button.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { UnsavedChangesPrompt } from "../parts/unsaved.tsx";
import { useWords } from "../words/index.tsx";
import { useSettingsWords } from "./words/index.tsx";

interface Props {
  help: string;
  mayChange: boolean;
  isChanged: boolean;
  saving: { mutate: () => void; isPending: boolean; isSuccess: boolean };
  /** The error of saving that no field shows. */
  error: Error | null;
  children: ReactNode;
}

export function WholeForm({ help, mayChange, isChanged, saving, error, children }: Props) {
  const { saved, readOnly } = useSettingsWords();
  const { save } = useWords();
  return (
    <Form
      className="form settings-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving.isPending) saving.mutate();
      }}
    >
      <p className="help">{help}</p>
      {!mayChange && <p className="banner">{readOnly}</p>}
      <fieldset className="whole" disabled={!mayChange}>
        {children}
      </fieldset>
      {error && <ErrorMessage error={error} />}
      <div className="session-end">
        <p role="status">{saving.isSuccess ? saved : ""}</p>
        {mayChange && (
          <Button kind="primary" type="submit">
            {save}
          </Button>
        )}
      </div>
      <UnsavedChangesPrompt isUnsaved={isChanged && mayChange} />
    </Form>
  );
}

const refusalsOf = (error: Error | null) => (error instanceof Refused ? error.refusals : []);

/** The message with which the server has refused a member of the settings. */
export const refusalOfMember = (error: Error | null, name: string) =>
  refusalsOf(error).find(({ parameters = [] }) => parameters.some(({ key }) => key === name))?.message;

/** The error, unless it is about members, whose fields show it. */
export const errorOfWhole = (error: Error | null) =>
  refusalsOf(error).some(({ parameters = [] }) => parameters.length > 0) ? null : error;
