import type { ReactNode } from "react";
import { AttemptResult } from "@/components/deliveries/attempt-result";
import { DeliveryStatus } from "@/components/deliveries/delivery-status";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { IdText } from "@/components/ui/id-text";
import { TimeText } from "@/components/ui/time-text";
import type { DeliveryRecord } from "@/lib/contracts/deliveries";

interface DeliveryTableProps {
  deliveries: DeliveryRecord[];
  hrefOf: (delivery: DeliveryRecord) => string;
  selectedId?: string;
  /** Where they went, unless the page is about one receiver. */
  hasReceiver?: boolean;
  /** Which session they tell of: not where all are of one session, nor beside the receiver, where there is no room. */
  hasSession?: boolean;
  empty: ReactNode;
}

const RECEIVER: TableColumn<DeliveryRecord> = {
  id: "receiver",
  name: "Receiver",
  cell: ({ url }) => (
    <span className="block lg:max-w-[160px] lg:truncate" title={url}>
      {hostOf(url)}
    </span>
  ),
  from: "lg",
  isOnPhones: true,
};

const SESSION: TableColumn<DeliveryRecord> = {
  id: "session",
  name: "Session",
  cell: ({ sessionId }) => (sessionId ? <IdText hasCopy={false} id={sessionId} label="the session id" /> : null),
  from: "xl",
};

/** Whom they are about, where all of the project's are listed. */
const END_USER: TableColumn<DeliveryRecord> = {
  id: "endUser",
  name: "End user",
  cell: ({ endUserId }) =>
    endUserId && (
      <span className="block max-w-[104px] truncate 2xl:max-w-[160px]" title={endUserId}>
        {endUserId}
      </span>
    ),
  from: "xl",
};

const COLUMNS: TableColumn<DeliveryRecord>[] = [
  {
    id: "event",
    name: "Event",
    cell: ({ event, isTest, webhookId }) => (
      <>
        <span className="font-mono">{event}</span>
        {isTest ? <Tag>test</Tag> : null}
        {webhookId === null ? <Tag>callback</Tag> : null}
      </>
    ),
  },
  { id: "status", name: "Status", cell: ({ status }) => <DeliveryStatus status={status} /> },
  {
    id: "answer",
    name: "Last answer",
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return last ? <AttemptResult attempt={last} /> : <span className="text-muted">None yet</span>;
    },
  },
  { id: "attempts", name: "Attempts", cell: ({ attempts }) => attempts.length, isNumeric: true, from: "xl" },
  { id: "created", name: "Created", cell: ({ createdAt }) => <TimeText at={createdAt} kind="moment" /> },
];

function Tag({ children }: { children: string }) {
  return <span className="ml-2 rounded bg-default px-1.5 py-0.5 text-muted text-xs">{children}</span>;
}

/** Deliveries, newest first; a row opens its detail. */
export function DeliveryTable(props: DeliveryTableProps) {
  const { deliveries, hrefOf, selectedId, hasReceiver = false, hasSession = !hasReceiver, empty } = props;
  const [event, ...others] = COLUMNS;
  const context = [...(hasReceiver ? [RECEIVER, END_USER] : []), ...(hasSession ? [SESSION] : [])];
  return (
    <DataTable
      columns={event ? [event, ...context, ...others] : COLUMNS}
      empty={empty}
      label="Deliveries"
      rowHref={hrefOf}
      rowKey={({ id }) => id}
      rowName={({ event: kind, id }) => `${kind}, delivery ${id}`}
      rows={deliveries}
      selectedKey={selectedId}
    />
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
