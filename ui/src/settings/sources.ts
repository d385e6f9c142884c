/** What fields choose from: other settings, by their names. */

import { useQueries } from "@tanstack/react-query";
import { recordsOf } from "../api/settings.ts";
import { at } from "./draft.ts";
import type { Option, Source, Spec, Stored } from "./kind.ts";
import { templateName } from "./template-name.ts";

interface Where {
  path: string;
  collection: string;
  name: string | ((record: Stored) => string);
  only?: (record: Stored) => boolean;
}

const SOURCES: Record<Source, Where> = {
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
    only: ({ pickupLocation }) => pickupLocation === true,
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
  records: (source: Source) => readonly Stored[];
}

/** The options of every field of these; what cannot be read is empty. */
export function useOptions(specs: readonly Spec[], also: readonly Source[] = []): Options {
  const wanted = [...new Set([...specs.flatMap(sourcesOf), ...also])];
  const found = useQueries({
    queries: wanted.map((source) => recordsOf(SOURCES[source])),
    combine: (results) => new Map(results.map(({ data = [] }, index) => [wanted[index], data])),
  });
  const options = (from: readonly Option[] | Source) => {
    if (typeof from !== "string") return from;
    const { name, only = () => true } = SOURCES[from];
    const called = (record: Stored) => String((typeof name === "string" ? at(record, name) : name(record)) ?? "");
    return (found.get(from) ?? [])
      .filter(only)
      .map((record) => ({ id: record.id ?? "", name: called(record) }))
      .sort((one, other) => one.name.localeCompare(other.name));
  };
  return Object.assign(options, { records: (source: Source) => found.get(source) ?? [] });
}

function sourcesOf(spec: Spec): Source[] {
  if (spec.is === "list") return spec.fields.flatMap(sourcesOf);
  return (spec.is === "choice" || spec.is === "many") && typeof spec.from === "string" ? [spec.from] : [];
}
