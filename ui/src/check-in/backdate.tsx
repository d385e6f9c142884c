/** Sets an earlier return date for what is scanned, e.g. for items from the book drop of the night before. */

import { fromAbsolute, parseDateTime, toCalendarDateTime, toZoned } from "@internationalized/date";
import { useId } from "react";
import { Button } from "../parts/button.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { backdate } from "./session.ts";

export function Backdate() {
  const words = useWords();
  const { timeZone } = useFormats();
  const id = useId();
  const { to } = backdate.use();
  if (to === undefined) {
    return (
      <Button kind="quiet" onPress={() => backdate.set({ to: new Date().toISOString() })}>
        {words.checkIn.backdate}
      </Button>
    );
  }
  const local = toCalendarDateTime(fromAbsolute(Date.parse(to), timeZone))
    .toString()
    .slice(0, 16);
  return (
    <div className="field inline backdated">
      <label htmlFor={id}>{words.checkIn.returned}</label>
      <input
        id={id}
        type="datetime-local"
        value={local}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
        onChange={({ target }) => {
          if (target.value) backdate.set({ to: toZoned(parseDateTime(target.value), timeZone).toAbsoluteString() });
        }}
      />
      <Button kind="quiet" onPress={() => backdate.set({})}>
        {words.checkIn.now}
      </Button>
    </div>
  );
}
