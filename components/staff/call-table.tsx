import type { ReactNode } from "react";
import { Clipped } from "@/components/staff/clipped";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatDuration, formatNumber } from "@/components/ui/format-number";
import { StatusDot } from "@/components/ui/status-dot";
import { httpStatusTone } from "@/components/ui/status-tones";
import { TimeText } from "@/components/ui/time-text";
import type { StaffCall } from "@/lib/contracts/staff";

interface CallTableProps {
  calls: StaffCall[];
  hrefOf: (call: StaffCall) => string;
  selectedId?: string;
  empty: ReactNode;
}

const COLUMNS: TableColumn<StaffCall>[] = [
  { id: "when", name: "When", cell: ({ createdAt }) => <TimeText at={createdAt} /> },
  { id: "account", name: "Account", cell: ({ accountId, companyName }) => <Clipped text={companyName ?? accountId} /> },
  { id: "endpoint", name: "Endpoint", cell: ({ endpoint }) => <span className="font-mono">{endpoint}</span> },
  {
    id: "status",
    name: "Status",
    cell: ({ status, errorCode }) => (
      <>
        <StatusDot status={String(status)} tone={httpStatusTone(status)} />
        {errorCode ? <span className="ml-2 font-mono text-muted text-xs">{errorCode}</span> : null}
      </>
    ),
  },
  { id: "time", name: "Time", cell: ({ durationMs }) => formatDuration(durationMs), isNumeric: true, from: "lg" },
  { id: "credits", name: "Credits", cell: ({ credits }) => formatNumber(credits), isNumeric: true, from: "lg" },
  { id: "ip", name: "From", cell: ({ ip }) => <span className="font-mono">{ip}</span>, from: "xl" },
];

/** Calls of all accounts, newest first. */
export function CallTable({ calls, hrefOf, selectedId, empty }: CallTableProps) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={empty}
      label="Calls"
      rowHref={hrefOf}
      rowKey={({ id }) => id}
      rowName={({ endpoint, requestId }) => `${endpoint}, request ${requestId}`}
      rows={calls}
      selectedKey={selectedId}
    />
  );
}
