import { Clipped } from "@/components/staff/clipped";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { IdText } from "@/components/ui/id-text";
import { TimeText } from "@/components/ui/time-text";
import { WebhookStatus } from "@/components/webhooks/webhook-status";
import type { StaffWebhook } from "@/lib/contracts/staff";

const COLUMNS: TableColumn<StaffWebhook>[] = [
  { id: "host", name: "Receiver", cell: ({ host }) => <Clipped text={host} /> },
  {
    id: "status",
    name: "Status",
    cell: ({ status, failedAt }) => (
      <>
        <WebhookStatus status={status} />
        {status === "failed" && failedAt ? (
          <span className="text-muted">
            {" "}
            <TimeText at={failedAt} />
          </span>
        ) : null}
      </>
    ),
  },
  { id: "events", name: "Events", cell: ({ events }) => <Clipped text={events.join(", ")} />, from: "xl" },
  { id: "project", name: "Project", cell: ({ projectName }) => <Clipped text={projectName} />, from: "lg" },
  {
    id: "last",
    name: "Last delivery",
    cell: ({ lastDeliveryAt }) =>
      lastDeliveryAt ? <TimeText at={lastDeliveryAt} /> : <span className="text-muted">None yet</span>,
  },
  {
    id: "id",
    name: "Id",
    cell: ({ id, host }) => <IdText hasCopy={false} id={id} label={`the id of ${host}`} />,
    from: "lg",
  },
];

/** An account's receivers; a row leads to what was sent to it. */
export function WebhookList({ webhooks }: { webhooks: StaffWebhook[] }) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={<p className="text-muted">It has no webhook.</p>}
      label="Webhooks"
      rowHref={({ id }) => STAFF_ADDRESSES.deliveriesOfWebhook(id)}
      rowKey={({ id }) => id}
      rowName={({ host, id }) => `Deliveries to ${host}, webhook ${id}`}
      rows={webhooks}
    />
  );
}
