import type { ReactNode } from "react";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { TimeText } from "@/components/ui/time-text";
import type { EndUserItem } from "@/lib/contracts/end-users";
import type { BoundedCount } from "@/lib/domain/bounded-count";

interface EndUserTableProps {
  endUsers: EndUserItem[];
  hrefOf: (endUserId: string) => string;
  empty: ReactNode;
}

const COLUMNS: TableColumn<EndUserItem>[] = [
  {
    id: "endUser",
    name: "End user",
    cell: ({ endUserId }) => <IdText hasCopy={false} id={endUserId} label="the end user's id" />,
  },
  { id: "sessions", name: "Sessions", cell: ({ sessions }) => formatBounded(sessions), isNumeric: true },
  { id: "requests", name: "Requests", cell: ({ requests }) => formatNumber(requests), isNumeric: true, from: "lg" },
  {
    id: "tokens",
    name: "Tokens",
    cell: ({ tokensIn, tokensOut }) => formatNumber(tokensIn + tokensOut),
    isNumeric: true,
    from: "lg",
  },
  { id: "credits", name: "Credits", cell: ({ creditsUsed }) => formatNumber(creditsUsed), isNumeric: true },
  {
    id: "memory",
    name: "Memory",
    cell: ({ hasMemory }) => (hasMemory ? "Yes" : <span className="text-muted">No</span>),
  },
  { id: "lastSeen", name: "Last seen", cell: ({ lastSeenAt }) => <TimeText at={lastSeenAt} /> },
];

/** The project's end users with what they used; a row leads to one. */
export function EndUserTable({ endUsers, hrefOf, empty }: EndUserTableProps) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={empty}
      label="End users"
      rowHref={({ endUserId }) => hrefOf(endUserId)}
      rowKey={({ endUserId }) => endUserId}
      rowName={({ endUserId }) => `End user ${endUserId}`}
      rows={endUsers}
    />
  );
}

/** "10,000+" where counting stopped. */
export function formatBounded({ count, hasMore }: BoundedCount): string {
  return `${formatNumber(count)}${hasMore ? "+" : ""}`;
}
