/** The circulation log: what was done to loans, items, requests and fees/fines, when, by whom, and where. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation } from "wouter";
import { servicePoints } from "../api/library.ts";
import { Button } from "../parts/button.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { Table } from "../parts/table/table.tsx";
import { useFormats } from "../words/index.tsx";
import { readFilters } from "./asked.ts";
import { logColumns, pathOfRecord } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { type LogRecord, MAX_RECORDS, useRecords } from "./records.ts";
import { useLogWords } from "./words/index.tsx";
import "../lists/lists.css";

export default function LogPage() {
  const own = useLogWords();
  const formats = useFormats();
  const [get] = useAddress();
  const [, navigate] = useLocation();
  const wanted = readFilters(get);
  const found = useRecords(wanted);
  const points = useQuery(servicePoints).data;
  const shown = useMemo(
    () => logColumns(own, formats, new Map(points?.map(({ id, name }) => [id, name]))),
    [own, formats, points],
  );
  const open = (record: LogRecord) => {
    const to = pathOfRecord(record);
    if (to) navigate(to);
  };
  const { logRecords: records = [], totalRecords: total = 0 } = found.data ?? {};
  return (
    <div className="table-page">
      <h1 className="unseen">{own.title}</h1>
      <Filters asked={wanted} />
      {found.isPending && <Loading />}
      {found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
      {total > MAX_RECORDS && (
        <p className="banner warn">{own.firstOnly(formats.number(MAX_RECORDS), formats.number(total))}</p>
      )}
      {found.isSuccess && records.length === 0 && <EmptyMessage>{own.none}</EmptyMessage>}
      {records.length > 0 && (
        <Table
          label={own.title}
          rows={records}
          columns={shown}
          keyOf={recordKey}
          sort="-date"
          fileName={own.title}
          onOpen={open}
        >
          <Button kind="quiet" onPress={() => void found.refetch()}>
            {own.again}
          </Button>
        </Table>
      )}
    </div>
  );
}

const recordKey = ({ eventId }: LogRecord) => eventId;
