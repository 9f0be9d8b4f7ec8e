import type { ReactNode } from "react";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatMoney, formatNumber } from "@/components/ui/format-number";
import type { UsageFigures } from "@/lib/contracts/usage-breakdown";

/** One line: a day, an endpoint, a key or an end user with what it used. */
interface UsageLine extends UsageFigures {
  id: string;
  name: ReactNode;
  cost: { amount: number; currency: string };
}

interface UsageTableProps {
  /** "Usage per day" */
  label: string;
  /** Of the first column: "Day". */
  heading: string;
  lines: UsageLine[];
  empty: ReactNode;
}

const FIGURES: TableColumn<UsageLine>[] = [
  { id: "requests", name: "Finished", cell: ({ requests }) => formatNumber(requests), isNumeric: true },
  { id: "tokensIn", name: "Tokens read", cell: ({ tokensIn }) => formatNumber(tokensIn), isNumeric: true, from: "lg" },
  {
    id: "tokensOut",
    name: "Tokens written",
    cell: ({ tokensOut }) => formatNumber(tokensOut),
    isNumeric: true,
    from: "lg",
  },
  { id: "tokens", name: "Tokens", cell: (line) => formatNumber(line.tokensIn + line.tokensOut), isNumeric: true },
  { id: "credits", name: "Credits", cell: ({ creditsUsed }) => formatNumber(creditsUsed), isNumeric: true },
  { id: "cost", name: "Cost", cell: ({ cost }) => formatMoney(cost.amount, cost.currency), isNumeric: true },
];

/** What was used, a line for each part. */
export function UsageTable({ label, heading, lines, empty }: UsageTableProps) {
  return (
    <DataTable
      columns={[{ id: "name", name: heading, cell: ({ name }) => name }, ...FIGURES]}
      empty={empty}
      label={label}
      rowKey={({ id }) => id}
      rows={lines}
    />
  );
}
