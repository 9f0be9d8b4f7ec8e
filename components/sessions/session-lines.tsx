import { INPUT_COLUMN, STATUS_COLUMN, sessionRowName } from "@/components/sessions/session-columns";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format-number";
import { TimeText } from "@/components/ui/time-text";
import type { SessionSummary } from "@/lib/contracts/sessions";

interface SessionLinesProps {
  sessions: SessionSummary[];
  hrefOf: (sessionId: string) => string;
  /** What makes a session stand here. */
  emptyText: string;
}

const COLUMNS: TableColumn<SessionSummary>[] = [
  INPUT_COLUMN,
  STATUS_COLUMN,
  { id: "tokens", name: "Tokens", cell: ({ tokensUsed }) => formatNumber(tokensUsed), isNumeric: true, from: "lg" },
  { id: "credits", name: "Credits", cell: ({ creditsUsed }) => formatNumber(creditsUsed), isNumeric: true },
  { id: "activity", name: "Last activity", cell: ({ lastActivityAt }) => <TimeText at={lastActivityAt} /> },
];

/** A few sessions on the page of something that they belong to. */
export function SessionLines({ sessions, hrefOf, emptyText }: SessionLinesProps) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={<EmptyState text={emptyText} title="No sessions yet" />}
      label="Sessions"
      rowHref={({ id }) => hrefOf(id)}
      rowKey={({ id }) => id}
      rowName={sessionRowName}
      rows={sessions}
    />
  );
}
