/** The page of a calendar: service points, dates, weekly hours, exceptions, and a preview by month. */

import { type CalendarDate, endOfYear, startOfYear, today } from "@internationalized/date";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { Form } from "react-aria-components/Form";
import { useLocation } from "wouter";
import { servicePoints } from "../../api/library.ts";
import { deleteRecord, recordQuery, storeRecord } from "../../api/settings.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { clearUnsavedForm } from "../../parts/guarded-location.ts";
import { DialogOpener } from "../../parts/opens.tsx";
import { ErrorMessage, Loading } from "../../parts/states.tsx";
import { UnsavedChangesPrompt } from "../../parts/unsaved.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import type { SettingRecord } from "../kind.ts";
import { useSettingsWords } from "../words/index.tsx";
import { CalendarView } from "./drawn.tsx";
import { ExceptionDialog } from "./exception.tsx";
import { Exceptions } from "./exceptions.tsx";
import { WeekHours } from "./hours.tsx";
import { defectsOf } from "./problems.ts";
import { CALENDARS, type CalendarRecord, type Exception } from "./record.ts";
import { useTimes } from "./times.ts";

export function CalendarPage({ id }: { id: string }) {
  const { timeZone } = useFormats();
  const isNew = id === "new";
  const asked = useQuery({ ...recordQuery(CALENDARS, id), enabled: !isNew });
  if (isNew) return <CalendarEditor stored={blankCalendar(today(timeZone))} isNew />;
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return <CalendarEditor stored={asked.data as unknown as CalendarRecord} isNew={false} key={id} />;
}

/** A blank calendar for the next year, as the present year mostly has one. */
function blankCalendar(now: CalendarDate): CalendarRecord {
  const next = now.add({ years: 1 });
  const dates = { startDate: startOfYear(next).toString(), endDate: endOfYear(next).toString() };
  return { name: "", ...dates, assignments: [], normalHours: [], exceptions: [] };
}

function CalendarEditor({ stored, isNew }: { stored: CalendarRecord; isNew: boolean }) {
  const words = useSettingsWords();
  const common = useWords();
  const times = useTimes();
  const may = useMay();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const points = useQuery(servicePoints).data ?? [];
  const [draft, setDraft] = useState(stored);
  const [touched, touch] = useState(false);
  const [editing, edit] = useState<{ exception: Exception; index?: number }>();
  const change = (part: Partial<CalendarRecord>) => {
    touch(true);
    setDraft((now) => ({ ...now, ...part }));
  };
  const saving = useMutation({
    mutationFn: () => storeRecord(CALENDARS, draft as unknown as SettingRecord, isNew),
    onSuccess: async ({ id = stored.id }) => {
      touch(false);
      announce(words.saved);
      await client.invalidateQueries();
      if (isNew && id) {
        clearUnsavedForm();
        navigate(`/settings/calendars/${id}`, { replace: true });
      }
    },
  });
  const allowed = may(`calendar.endpoint.calendars.${isNew ? "post" : "calendarId.put"}`);
  const nameOf = (ids: readonly string[]) => ids.map((id) => points.find((point) => point.id === id)?.name ?? id);
  const defects = saving.error ? defectsOf(saving.error, words.calendar, times, nameOf) : [];
  const exceptionOn = (day: CalendarDate) => {
    const date = day.toString();
    const index = draft.exceptions.findIndex(({ startDate, endDate }) => startDate <= date && date <= endDate);
    const exception = draft.exceptions[index];
    if (exception) edit({ exception, index });
    else edit({ exception: { name: "", startDate: date, endDate: date, openings: [] } });
  };
  return (
    <>
      <h1>{isNew ? words.calendar.make : stored.name}</h1>
      {!allowed && <p className="banner">{words.readOnly}</p>}
      <Form
        className="with-beside calendar-page"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <fieldset className="whole" disabled={!allowed}>
          <section className="sheet" aria-label={words.calendar.one}>
            <Field
              label={words.name}
              value={draft.name}
              onChange={(name) => change({ name })}
              isRequired
              autoFocus={isNew}
            />
            <div className="pair">
              <Field
                type="date"
                label={words.calendar.firstDay}
                value={draft.startDate}
                onChange={(startDate) => change({ startDate })}
                isRequired
              />
              <Field
                type="date"
                label={words.calendar.lastDay}
                value={draft.endDate}
                onChange={(endDate) => change({ endDate })}
                isRequired
              />
            </div>
            <fieldset className="checks">
              <legend>{words.calendar.where}</legend>
              <div className="columns">
                {points.map(({ id, name }) => (
                  <Checkbox
                    className="check"
                    key={id}
                    isSelected={draft.assignments.includes(id)}
                    onChange={(on) =>
                      change({
                        assignments: on ? [...draft.assignments, id] : draft.assignments.filter((one) => one !== id),
                      })
                    }
                  >
                    <span className="tick" aria-hidden="true" />
                    {name}
                  </Checkbox>
                ))}
              </div>
            </fieldset>
          </section>
          <section className="sheet" aria-label={words.calendar.week}>
            <h2>{words.calendar.week}</h2>
            <p className="help">{words.calendar.weekHelp}</p>
            <WeekHours hours={draft.normalHours} onChange={(normalHours) => change({ normalHours })} />
          </section>
        </fieldset>
        <div className="whole">
          <CalendarView calendar={draft} onDay={allowed ? exceptionOn : () => {}} />
          <Exceptions
            calendar={draft}
            allowed={allowed}
            onEdit={edit}
            onRemove={(index) => change({ exceptions: draft.exceptions.filter((_, place) => place !== index) })}
          />
        </div>
        {defects.length > 0 && (
          <div className="banner bad wide" role="alert">
            {defects.map((defect) => (
              <p key={defect}>{defect}</p>
            ))}
          </div>
        )}
        {saving.error && defects.length === 0 && <ErrorMessage error={saving.error} />}
        <div className="session-end wide save-bar">
          <p role="status">{touched ? common.rules.changed : saving.isSuccess ? words.saved : ""}</p>
          {!isNew && may("calendar.endpoint.calendars.calendarId.delete") && <RemoveCalendar calendar={stored} />}
          {allowed && (
            <Button kind="primary" type="submit" isDisabled={saving.isPending}>
              {common.save}
            </Button>
          )}
        </div>
      </Form>
      <UnsavedChangesPrompt isUnsaved={touched && allowed} />
      {editing && (
        <ExceptionDialog
          exception={editing.exception}
          isNew={editing.index === undefined}
          onClose={() => edit(undefined)}
          onSave={(exception) => {
            const { index } = editing;
            const others = draft.exceptions.filter((_, place) => place !== index);
            change({ exceptions: [...others, exception] });
          }}
        />
      )}
    </>
  );
}

function RemoveCalendar({ calendar }: { calendar: CalendarRecord }) {
  const words = useSettingsWords();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const id = calendar.id ?? "";
  return (
    <DialogOpener>
      <Button kind="danger">{words.remove}</Button>
      <FormDialog
        title={words.removeTitle(calendar.name)}
        submit={words.remove}
        danger
        onSubmit={async () => {
          await deleteRecord(CALENDARS, id);
          announce(words.removed);
          clearUnsavedForm();
          navigate("/settings/calendars");
          await client.invalidateQueries({ predicate: ({ queryKey }) => !queryKey.includes(id) });
        }}
      >
        <p>{words.calendar.removeHelp}</p>
      </FormDialog>
    </DialogOpener>
  );
}
