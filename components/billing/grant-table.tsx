import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatNumber } from "@/components/ui/format-number";
import { TimeText } from "@/components/ui/time-text";
import type { GrantRecord } from "@/lib/contracts/billing";

const GRANTS: TableColumn<GrantRecord>[] = [
  { id: "when", name: "When", cell: ({ createdAt }) => <TimeText at={createdAt} /> },
  {
    id: "amount",
    name: "Credits",
    cell: ({ amount }) => `${amount > 0 ? "+" : "−"}${formatNumber(Math.abs(amount))}`,
    isNumeric: true,
  },
  { id: "after", name: "Balance after", cell: ({ balanceAfter }) => formatNumber(balanceAfter), isNumeric: true },
];

const REASON: TableColumn<GrantRecord> = { id: "reason", name: "Reason", cell: ({ reason }) => <bdi>{reason}</bdi> };

interface GrantTableProps {
  grants: GrantRecord[];
  /** For who reads in the audit log what staff wrote. */
  hasReasons: boolean;
}

/** What came onto an account beside what calls cost, and what was taken off. */
export function GrantTable({ grants, hasReasons }: GrantTableProps) {
  return (
    <DataTable
      columns={hasReasons ? [...GRANTS, REASON] : GRANTS}
      empty={<p className="text-muted">No credits were given yet.</p>}
      label="Credits given and taken"
      rowKey={({ id }) => id}
      rows={grants}
    />
  );
}
