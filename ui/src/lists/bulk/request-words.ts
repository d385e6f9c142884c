/** Describes the change of a request in words: its members before and after. */

import { useQuery } from "@tanstack/react-query";
import { servicePoints } from "../../api/library.ts";
import type { PatronRequest } from "../../api/records.ts";
import { endOfDay } from "../../loans/override.tsx";
import { useFormats, useWords } from "../../words/index.tsx";
import { useListWords } from "../words/index.tsx";
import { type ActionName, type FormValues, requestChange } from "./actions.ts";

export function useRequestChangeText(): (name: ActionName, request: PatronRequest, said: FormValues) => string {
  const words = useWords();
  const own = useListWords().bulk;
  const formats = useFormats();
  const points = useQuery(servicePoints).data ?? [];
  const day = (instant: unknown) => (instant ? formats.date(formats.isoDay(String(instant))) : own.noDay);
  return (name, request, said) => {
    const status = words.statuses[request.status] ?? request.status;
    if (name === "cancel") return own.becomes(status, words.statuses["Closed - Cancelled"] ?? "Closed - Cancelled");
    if (name !== "edit") return "";
    const change = requestChange(request, said, {
      userId: "",
      endOfDay: (last) => endOfDay(last, formats.timeZone),
      isoDay: formats.isoDay,
      isSingleRow: false,
    });
    const point = points.find(({ id }) => id === change.pickupServicePointId)?.name;
    const dates = [
      ["requestExpirationDate", own.fields.wanted],
      ["holdShelfExpirationDate", own.fields.kept],
    ] as const;
    return [
      ...(point ? [own.becomes(request.pickupServicePoint?.name ?? own.delivered, point)] : []),
      ...dates.flatMap(([member, label]) =>
        change[member] ? [`${label}: ${own.becomes(day(request[member]), day(change[member]))}`] : [],
      ),
    ].join("; ");
  };
}
