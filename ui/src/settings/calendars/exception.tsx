/** The dialog of an exception: closed days, or days with other opening hours. */

import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useSettingsWords } from "../words/index.tsx";
import { DEFAULT_HOURS, HoursFields } from "./hours.tsx";
import { commonHours, type Exception, openingsOnEachDay } from "./record.ts";

interface Props {
  exception: Exception;
  isNew: boolean;
  onSave: (exception: Exception) => void;
  onClose: () => void;
}

export function ExceptionDialog({ exception, isNew, onSave, onClose }: Props) {
  const words = useSettingsWords().calendar;
  const [draft, setDraft] = useState(exception);
  const [hours, setHours] = useState(commonHours(exception));
  // Different hours on each day are kept until the user sets the same hours for all.
  const differ = hours === undefined;
  const closed = hours?.length === 0;
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={isNew ? words.newException : words.changeException}
      submit={words.takeOver}
      onSubmit={async () => {
        const openings = differ ? draft.openings : openingsOnEachDay(draft.startDate, draft.endDate, hours);
        onSave({ ...draft, openings });
        onClose();
      }}
    >
      <Field
        label={words.exceptionName}
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
        isRequired
        autoFocus
      />
      <div className="pair">
        <Field
          type="date"
          label={words.firstDay}
          value={draft.startDate}
          onChange={(startDate) =>
            setDraft({ ...draft, startDate, endDate: [draft.endDate, startDate].sort().at(-1) ?? startDate })
          }
          isRequired
        />
        <Field
          type="date"
          label={words.lastDay}
          value={draft.endDate}
          onChange={(endDate) => setDraft({ ...draft, endDate })}
          isRequired
        />
      </div>
      {differ ? (
        <Checkbox className="check" isSelected={false} onChange={() => setHours([])}>
          <span className="tick" aria-hidden="true" />
          {words.sameHours}
        </Checkbox>
      ) : (
        <>
          <Checkbox
            className="check"
            isSelected={closed ?? false}
            onChange={(on) => setHours(on ? [] : [DEFAULT_HOURS])}
          >
            <span className="tick" aria-hidden="true" />
            {words.closedAllDay}
          </Checkbox>
          {!closed && <HoursFields dayLabel={draft.name} hours={hours} onChange={setHours} />}
        </>
      )}
    </FormDialog>
  );
}
