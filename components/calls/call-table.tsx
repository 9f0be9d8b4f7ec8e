import type { ReactNode } from "react";
import { CallStatus } from "@/components/calls/call-status";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatDuration, formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { TimeText } from "@/components/ui/time-text";
import type { LoggedCall } from "@/lib/contracts/call-log";

interface CallTableProps {
  calls: LoggedCall[];
  hrefOf: (call: LoggedCall) => string;
  selectedId?: string;
  /** Rows that came last. */
  newIds: ReadonlySet<string>;
  empty: ReactNode;
}

/** Calls, newest first; a row opens its detail. Rows that just came are tinted. */
export function CallTable({ calls, hrefOf, selectedId, newIds, empty }: CallTableProps) {
  return (
    <div className="[&_tr:has([data-new])]:bg-accent/8">
      <DataTable
        columns={[endpointColumn(newIds), ...COLUMNS]}
        empty={empty}
        label="Calls"
        rowHref={hrefOf}
        rowKey={({ id }) => id}
        rowName={({ endpoint, status, requestId }) => `${endpoint}, ${status}, request ${requestId}`}
        rows={calls}
        selectedKey={selectedId}
      />
    </div>
  );
}

function endpointColumn(newIds: ReadonlySet<string>): TableColumn<LoggedCall> {
  return {
    id: "endpoint",
    name: "Endpoint",
    cell: ({ id, endpoint }) => (
      <span className="font-mono" data-new={newIds.has(id) ? "" : undefined}>
        {endpoint}
      </span>
    ),
  };
}

const COLUMNS: TableColumn<LoggedCall>[] = [
  { id: "status", name: "Status", cell: (call) => <CallStatus call={call} /> },
  { id: "time", name: "Time", cell: ({ durationMs }) => formatDuration(durationMs), isNumeric: true },
  { id: "credits", name: "Credits", cell: ({ credits }) => formatNumber(credits), isNumeric: true },
  {
    id: "ip",
    name: "From",
    // At most as much as an IPv4 address: the rest stands in the call's detail.
    cell: ({ ip }) => (
      <span className="block max-w-[11ch] truncate font-mono xl:max-w-[15ch] 2xl:max-w-none" title={ip ?? undefined}>
        {ip}
      </span>
    ),
    from: "lg",
  },
  {
    id: "request",
    name: "Request id",
    cell: ({ requestId }) => (
      <span className="[--id-width:11ch] 2xl:[--id-width:24ch]">
        <IdText hasCopy={false} id={requestId} label="the request id" />
      </span>
    ),
    from: "xl",
  },
  { id: "when", name: "When", cell: ({ createdAt }) => <TimeText at={createdAt} kind="moment" /> },
];
