import type { ReactNode } from "react";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatNumber, formatPercent } from "@/components/ui/format-number";
import { TimeText } from "@/components/ui/time-text";
import { WebhookStatus } from "@/components/webhooks/webhook-status";
import type { DeliveryCounts } from "@/lib/contracts/deliveries";
import type { Webhook } from "@/lib/contracts/webhooks";

/** A registration with what became of its events of the last 24 hours. */
export interface WebhookRow extends Webhook {
  lastDay: DeliveryCounts | undefined;
}

const COLUMNS: TableColumn<WebhookRow>[] = [
  {
    id: "url",
    name: "Address",
    cell: ({ url }) => (
      <span className="block font-medium max-sm:line-clamp-2 sm:max-w-[220px] sm:truncate xl:max-w-[280px]" title={url}>
        {url.replace(/^https:\/\//, "")}
      </span>
    ),
  },
  { id: "status", name: "Status", cell: ({ status }) => <WebhookStatus status={status} /> },
  {
    id: "events",
    name: "Events",
    cell: ({ events }) => (
      <span className="block xl:max-w-[170px] xl:truncate" title={events.join(", ")}>
        {events.join(", ")}
      </span>
    ),
    from: "xl",
  },
  {
    id: "lastDay",
    name: "Arrived in 24 h",
    cell: ({ lastDay }) => <SuccessRate counts={lastDay} />,
    isNumeric: true,
    from: "lg",
  },
  {
    id: "lastDelivery",
    name: "Last arrived",
    cell: ({ lastDeliveryAt }) =>
      lastDeliveryAt ? <TimeText at={lastDeliveryAt} /> : <span className="text-muted">Never</span>,
  },
];

/** The project's receivers; a row opens its page. */
export function WebhookTable({ webhooks, empty }: { webhooks: WebhookRow[]; empty: ReactNode }) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={empty}
      label="Webhooks"
      rowHref={({ id }) => PANEL_ADDRESSES.webhook(id)}
      rowKey={({ id }) => id}
      rowName={({ url }) => `Webhook ${url}`}
      rows={webhooks}
    />
  );
}

function SuccessRate({ counts }: { counts: DeliveryCounts | undefined }) {
  if (!counts) return <span className="text-muted">Nothing sent</span>;
  const ended = counts.delivered + counts.undelivered;
  if (ended === 0) return <span className="text-muted">None yet</span>;
  const words = `${formatNumber(counts.delivered)} of ${formatNumber(ended)}`;
  return (
    <>
      {formatPercent(counts.delivered / ended)} <span className="text-muted">{words}</span>
    </>
  );
}
