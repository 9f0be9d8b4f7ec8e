import type { ReactNode } from "react";
import { DeliveryStatus } from "@/components/deliveries/delivery-status";
import { Clipped } from "@/components/staff/clipped";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { StatusDot } from "@/components/ui/status-dot";
import { httpStatusTone } from "@/components/ui/status-tones";
import { TimeText } from "@/components/ui/time-text";
import type { StaffDelivery } from "@/lib/contracts/staff";

interface StaffDeliveryTableProps {
  deliveries: StaffDelivery[];
  hrefOf: (delivery: StaffDelivery) => string;
  selectedId?: string;
  empty: ReactNode;
}

const COLUMNS: TableColumn<StaffDelivery>[] = [
  { id: "created", name: "Created", cell: ({ createdAt }) => <TimeText at={createdAt} /> },
  { id: "account", name: "Account", cell: ({ accountId, companyName }) => <Clipped text={companyName ?? accountId} /> },
  { id: "event", name: "Event", cell: ({ event }) => <span className="font-mono">{event}</span> },
  { id: "status", name: "Status", cell: ({ status }) => <DeliveryStatus status={status} /> },
  { id: "receiver", name: "Receiver", cell: ({ host }) => <Clipped text={host} />, from: "lg" },
  { id: "answer", name: "Last answer", cell: (delivery) => <LastAnswer delivery={delivery} />, from: "lg" },
  { id: "attempts", name: "Attempts", cell: ({ attemptCount }) => attemptCount, isNumeric: true, from: "xl" },
];

/** Deliveries of all accounts, newest first. */
export function StaffDeliveryTable({ deliveries, hrefOf, selectedId, empty }: StaffDeliveryTableProps) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={empty}
      label="Deliveries"
      rowHref={hrefOf}
      rowKey={({ id }) => id}
      rowName={({ event, id }) => `${event}, delivery ${id}`}
      rows={deliveries}
      selectedKey={selectedId}
    />
  );
}

function LastAnswer({ delivery: { attemptCount, lastResponseStatus } }: { delivery: StaffDelivery }) {
  if (lastResponseStatus !== null) {
    return <StatusDot status={String(lastResponseStatus)} tone={httpStatusTone(lastResponseStatus)} />;
  }
  return <span className="text-muted">{attemptCount > 0 ? "No answer" : "None yet"}</span>;
}
