import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { EndUserSession } from "@/lib/contracts/end-users";

interface RecentSessionsProps {
  sessions: EndUserSession[];
  hrefOf: (sessionId: string) => string;
}

const COLUMNS: TableColumn<EndUserSession>[] = [
  { id: "session", name: "Session", cell: ({ id }) => <IdText hasCopy={false} id={id} label="the session's id" /> },
  { id: "kind", name: "Kind", cell: ({ kind }) => kind, from: "lg" },
  { id: "status", name: "Status", cell: ({ status }) => <StatusDot status={status} /> },
  { id: "credits", name: "Credits", cell: ({ creditsUsed }) => formatNumber(creditsUsed), isNumeric: true },
  { id: "activity", name: "Last activity", cell: ({ lastActivityAt }) => <TimeText at={lastActivityAt} /> },
];

/** The newest sessions of an end user. */
export function RecentSessions({ sessions, hrefOf }: RecentSessionsProps) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={<EmptyState text="They stand here once this end user was named in a call." title="No sessions" />}
      label="Newest sessions"
      rowHref={({ id }) => hrefOf(id)}
      rowKey={({ id }) => id}
      rowName={({ id }) => `Session ${id}`}
      rows={sessions}
    />
  );
}
