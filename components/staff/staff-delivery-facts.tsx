import { DeliveryStatus } from "@/components/deliveries/delivery-status";
import { CompanyLink } from "@/components/staff/company-link";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatDuration } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { Section } from "@/components/ui/section";
import { StatusDot } from "@/components/ui/status-dot";
import { httpStatusTone } from "@/components/ui/status-tones";
import { TimeText } from "@/components/ui/time-text";
import type { AttemptSummary } from "@/lib/contracts/deliveries";
import type { StaffDeliveryDetail } from "@/lib/contracts/staff";

const COLUMNS: TableColumn<AttemptSummary>[] = [
  { id: "attempt", name: "Attempt", cell: ({ round, number }) => (round > 1 ? `${number} of round ${round}` : number) },
  { id: "when", name: "When", cell: ({ startedAt }) => <TimeText at={startedAt} kind="exact" /> },
  {
    id: "answer",
    name: "Answer",
    cell: ({ responseStatus, error }) =>
      responseStatus === null ? (
        <span className="whitespace-normal">{error ?? "Waiting"}</span>
      ) : (
        <StatusDot status={String(responseStatus)} tone={httpStatusTone(responseStatus)} />
      ),
  },
  {
    id: "time",
    name: "Time",
    cell: ({ durationMs }) => (durationMs === null ? null : formatDuration(durationMs)),
    isNumeric: true,
  },
];

/** One delivery and how each attempt went; what was said is between the account and its receiver. */
export function StaffDeliveryFacts({ delivery }: { delivery: StaffDeliveryDetail }) {
  return (
    <>
      <KeyValues
        items={[
          {
            name: "Account",
            value: <CompanyLink accountId={delivery.accountId} companyName={delivery.companyName} />,
          },
          { name: "Status", value: <DeliveryStatus status={delivery.status} /> },
          { name: "Test", value: delivery.isTest ? "A test event" : null },
          { name: "Receiver", value: delivery.host },
          { name: "Id", value: <IdText id={delivery.id} label="the delivery's id" /> },
          { name: "X-Service-Delivery", value: <IdText id={delivery.deliveryUuid} label="X-Service-Delivery" /> },
          {
            name: "Webhook",
            value: delivery.webhookId ? (
              <IdText
                href={STAFF_ADDRESSES.deliveriesOfWebhook(delivery.webhookId)}
                id={delivery.webhookId}
                label="the webhook's id"
              />
            ) : (
              "The callbackUrl of a call"
            ),
          },
          {
            name: "Session",
            value: delivery.sessionId && (
              <IdText
                href={STAFF_ADDRESSES.session(delivery.sessionId)}
                id={delivery.sessionId}
                label="the session's id"
              />
            ),
          },
          { name: "Created", value: <TimeText at={delivery.createdAt} kind="exact" /> },
          { name: "Delivered", value: delivery.deliveredAt && <TimeText at={delivery.deliveredAt} kind="exact" /> },
          {
            name: "Next attempt",
            value:
              delivery.status === "pending" && delivery.nextAttemptAt ? <TimeText at={delivery.nextAttemptAt} /> : null,
          },
        ]}
      />
      <Section title="Attempts">
        <DataTable
          columns={COLUMNS}
          empty={<p className="text-muted">None yet.</p>}
          label="Attempts"
          rowKey={({ round, number }) => `${round}-${number}`}
          rows={delivery.attempts.toReversed()}
        />
      </Section>
    </>
  );
}
