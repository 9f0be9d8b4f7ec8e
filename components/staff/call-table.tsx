import type { ReactNode } from "react";
import { CallStatus } from "@/components/calls/call-status";
import { Clipped } from "@/components/staff/clipped";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatDuration, formatNumber } from "@/components/ui/format-number";
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
  { id: "status", name: "Status", cell: (call) => <CallStatus call={call} /> },
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
