/** A button that opens a search for a title to link to. */

import { useState } from "react";
import { refusing } from "../../api/http.ts";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Opens } from "../../parts/opens.tsx";
import { type FoundTitle, TitleFinder } from "../copies/title-finder.tsx";
import { Pick } from "../editing/pick.tsx";
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
    <Opens>
      <Button>{props.label}</Button>
      <FindDialog {...props} />
    </Opens>
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
        if (title === undefined) throw refusing(422, own.whichTitle);
        onFound(title, type);
      }}
    >
      <TitleFinder label={own.find} except={except} onChange={setTitle} />
      {isTyped && (
        <Pick
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
