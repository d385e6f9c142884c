/** The circulation log: what was done to loans, items, requests and fees, when, by whom, and where. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation } from "wouter";
import { servicePoints } from "../api/library.ts";
import { Button } from "../parts/button.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { Table } from "../parts/table/table.tsx";
import { useFormats } from "../words/index.tsx";
import { asked } from "./asked.ts";
import { columns, way } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { type LogRecord, MOST, useRecords } from "./records.ts";
import { useLogWords } from "./words/index.tsx";
import "../lists/lists.css";

export default function LogPage() {
  const own = useLogWords();
  const formats = useFormats();
  const [get] = useAddress();
  const [, navigate] = useLocation();
  const wanted = asked(get);
  const found = useRecords(wanted);
  const points = useQuery(servicePoints).data;
  const shown = useMemo(
    () => columns(own, formats, new Map(points?.map(({ id, name }) => [id, name]))),
    [own, formats, points],
  );
  const open = (record: LogRecord) => {
    const to = way(record);
    if (to) navigate(to);
  };
  const { logRecords: records = [], totalRecords: total = 0 } = found.data ?? {};
  return (
    <div className="table-page">
      <h1 className="unseen">{own.title}</h1>
      <Filters asked={wanted} />
      {found.isPending && <Loading />}
      {found.error && <Trouble error={found.error} retry={() => void found.refetch()} />}
      {total > MOST && <p className="banner warn">{own.firstOnly(formats.number(MOST), formats.number(total))}</p>}
      {found.isSuccess && records.length === 0 && <Empty>{own.none}</Empty>}
      {records.length > 0 && (
        <Table
          label={own.title}
          rows={records}
          columns={shown}
          keyOf={keyOf}
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

const keyOf = ({ eventId }: LogRecord) => eventId;
