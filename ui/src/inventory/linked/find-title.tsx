/** A button that opens a search for a title to link. */

import { useState } from "react";
import { createRefusal } from "../../api/http.ts";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { type FoundTitle, TitleFinder } from "../copies/title-finder.tsx";
import { ListChoice } from "../editing/pick.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { labelOf, useRecordWords } from "../words/records.tsx";

interface Props {
  label: string;
  except: readonly string[];
  isTyped: boolean;
  onFound: (title: FoundTitle, type: string | undefined) => void;
}

export function FindTitle(props: Props) {
  return (
    <DialogOpener>
      <Button>{props.label}</Button>
      <FindDialog {...props} />
    </DialogOpener>
  );
}

function FindDialog({ label, except, isTyped, onFound }: Props) {
  const own = useLinkedWords();
  const words = useRecordWords();
  const [title, setTitle] = useState<FoundTitle>();
  const [type, setType] = useState<string>();
  return (
    <FormDialog
      title={label}
      submit={own.submit}
      onSubmit={async () => {
        if (title === undefined) throw createRefusal(422, own.whichTitle);
        onFound(title, type);
      }}
    >
      <TitleFinder label={own.find} except={except} onChange={setTitle} />
      {isTyped && (
        <ListChoice
          label={labelOf(words, "instanceRelationshipTypeId")}
          from="/instance-relationship-types"
          value={type}
          onChange={setType}
          isRequired
        />
      )}
    </FormDialog>
  );
}
