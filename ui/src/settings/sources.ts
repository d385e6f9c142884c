/** Options of choice fields: other records, by name. */

import { useQueries } from "@tanstack/react-query";
import { recordsQuery } from "../api/settings.ts";
import { valueAt } from "./draft.ts";
import type { Option, SettingRecord, Source, Spec } from "./kind.ts";
import { templateName } from "./template-name.ts";

interface SourceSpec {
  path: string;
  collection: string;
  name: string | ((record: SettingRecord) => string);
  isIncluded?: (record: SettingRecord) => boolean;
}

const SOURCES: Record<Source, SourceSpec> = {
  schedules: {
    path: "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
    collection: "fixedDueDateSchedules",
    name: "name",
  },
  templates: { path: "/templates", collection: "templates", name: templateName },
  servicePoints: { path: "/service-points", collection: "servicepoints", name: "name" },
  pickupPoints: {
    path: "/service-points",
    collection: "servicepoints",
    name: "name",
    isIncluded: ({ pickupLocation }) => pickupLocation === true,
  },
  owners: { path: "/owners", collection: "owners", name: "owner" },
  institutions: { path: "/location-units/institutions", collection: "locinsts", name: "name" },
  campuses: { path: "/location-units/campuses", collection: "loccamps", name: "name" },
  libraries: { path: "/location-units/libraries", collection: "loclibs", name: "name" },
  statisticalCodeTypes: { path: "/statistical-code-types", collection: "statisticalCodeTypes", name: "name" },
  slips: { path: "/staff-slips-storage/staff-slips", collection: "staffSlips", name: "name" },
};

export interface Options {
  (from: readonly Option[] | Source): readonly Option[];
  records: (source: Source) => readonly SettingRecord[];
}

/** Loads the options of all these fields; sources that cannot be read are empty. */
export function useOptions(specs: readonly Spec[], also: readonly Source[] = []): Options {
  const wanted = [...new Set([...specs.flatMap(sourcesOf), ...also])];
  const found = useQueries({
    queries: wanted.map((source) => recordsQuery(SOURCES[source])),
    combine: (results) => new Map(results.map(({ data = [] }, index) => [wanted[index], data])),
  });
  const options = (from: readonly Option[] | Source) => {
    if (typeof from !== "string") return from;
    const { name, isIncluded = () => true } = SOURCES[from];
    const called = (record: SettingRecord) =>
      String((typeof name === "string" ? valueAt(record, name) : name(record)) ?? "");
    return (found.get(from) ?? [])
      .filter(isIncluded)
      .map((record) => ({ id: record.id ?? "", name: called(record) }))
      .sort((one, other) => one.name.localeCompare(other.name));
  };
  return Object.assign(options, { records: (source: Source) => found.get(source) ?? [] });
}

function sourcesOf(spec: Spec): Source[] {
  if (spec.is === "list") return spec.fields.flatMap(sourcesOf);
  return (spec.is === "choice" || spec.is === "many") && typeof spec.from === "string" ? [spec.from] : [];
}
